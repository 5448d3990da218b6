import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { type Config, ConfigError, parseConfig } from './config/environment.ts'
import { migrateDatabase } from './db/migrations/migrate.ts'
import { openDemo } from './demo/openDemo.ts'
import { startEmbeddedPostgres } from './embedded/postgres.ts'
import { keptDefinitions } from './http/pages/probes.ts'
import { databaseSource } from './lifecycle/databaseSource.ts'
import { formatFatalError } from './lifecycle/formatFatalError.ts'
import { startHousekeeping } from './lifecycle/housekeeping.ts'
import { openDependencies } from './lifecycle/openDependencies.ts'
import { exitOnCrash, shutDownOnSignals } from './lifecycle/shutdown.ts'
import { OperatorError } from './services/operatorError.ts'
import { createLog } from './telemetry/log.ts'

async function main(): Promise<void> {
  const config = parseConfig(process.env)
  const log = createLog(config.logLevel)
  exitOnCrash(log)
  const source = await databaseSource(config, async (directory) => {
    const embedded = await startEmbeddedPostgres({
      directory,
      log: (message, fields) => log.info(fields, message),
      onLost: (err) => {
        // The supervisor that restarts the server starts both again.
        log.fatal({ err }, 'the embedded database stopped unexpectedly')
        process.exit(1)
      },
    })
    log.info({ directory }, 'using the embedded PostgreSQL; set DATABASE_URL to use your own')
    return embedded
  })
  // In production `rental migrate` changes the schema, with a role that has the permission.
  if (!config.production) {
    const { pending, kept, newerRelease } = await migrateDatabase(
      config.databaseDirectUrl ?? source.url,
    )
    const applied = pending.map(({ tag }) => tag)
    if (applied.length > 0) log.info({ applied }, 'migrations applied')
    if (kept.length > 0) log.warn({ newerRelease }, keptDefinitions)
  }
  const { deps, close } = await openDependencies(config, source.url, log, undefined, () =>
    fail(new OperatorError('`rental transfer` copies this database. Start the server afterwards.')),
  )
  const stopHousekeeping = startHousekeeping(deps)
  const app = await buildApp(deps)
  let demo: Awaited<ReturnType<typeof openDemo>>
  app.addHook('onClose', async () => demo?.close())
  // Before listening: a supervisor may send a signal as soon as the port is open.
  shutDownOnSignals({
    app,
    deps,
    closeDeps: async () => {
      await stopHousekeeping()
      await close()
    },
    source,
  })
  const baseUrl = await listen(app, config)
  log.info(`Server listening at ${baseUrl}`)
  // After listening: a second server must report that PORT is in use, not the port of the website.
  if (config.demo) {
    demo = await openDemo(deps).catch((error: unknown) => {
      // Ignore failures during shutdown.
      if (deps.lifecycle.draining) return undefined
      throw error
    })
  }
  if (demo === undefined) return
  deps.lifecycle.demo = { siteUrl: demo.siteUrl, serverKey: demo.serverKey }
  // A closed stdout must not end the server.
  process.stdout.on('error', () => {})
  process.stdout.write(demo.start(baseUrl))
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    return await app.listen({ host, port })
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw new ConfigError(
      `Can't listen on port ${port} of ${host}: ${error.message}. Set PORT to a free port ` +
        '(1024 or higher; 0 chooses one), or HOST to an address of this machine (0.0.0.0 means all).',
      { cause: error },
    )
  }
}

function fail(error: unknown): never {
  process.stderr.write(`${formatFatalError(error, () => parseConfig(process.env))}\n`)
  process.exit(1)
}

main().catch(fail)
