import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { compiledDirectory } from './compiledServer.ts'
import { databaseUrl, runStatements } from './maintenance.ts'
import { startTestPostgres } from './servers/postgres.ts'
import { startTestRedis } from './servers/redis.ts'
import { prepareTemplate } from './template.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The maintenance database of the tests' PostgreSQL server. */
    readonly postgresUrl: string
    /** The migrated database that test databases are copied from. */
    readonly templateDatabase: string
    readonly redisUrl: string
    /** The directory for the compiled server, which the first test that needs it creates. */
    readonly compiledDirectory: string
  }
}

/** Starts PostgreSQL and Redis for one test run. Returns the function that stops them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Servers read the client packages at startup.
  await promisify(execFile)(process.execPath, [
    join(import.meta.dirname, '../../clients/build.mjs'),
  ])
  const [postgres, redis] = await Promise.allSettled([startTestPostgres(), startTestRedis()])
  const stop = async () => {
    for (const server of [postgres, redis]) {
      if (server.status === 'fulfilled') await server.value.stop()
    }
  }
  try {
    if (postgres.status === 'rejected') throw postgres.reason
    if (redis.status === 'rejected') throw redis.reason
    const template = await makeTemplate(postgres.value.url)
    project.provide('postgresUrl', postgres.value.url)
    project.provide('templateDatabase', template)
    project.provide('redisUrl', redis.value.url)
    const compiled = compiledDirectory()
    project.provide('compiledDirectory', compiled)
    return async () => {
      await rm(compiled, { recursive: true, force: true })
      await dropTemplate(postgres.value.url, template)
      await stop()
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Creates the template. Its name is random, because runs may share the TEST_DATABASE_URL server. */
async function makeTemplate(postgresUrl: string): Promise<string> {
  const template = `template_rental_${randomBytes(4).toString('hex')}`
  await runStatements(postgresUrl, `CREATE DATABASE ${template}`)
  await prepareTemplate(databaseUrl(postgresUrl, template))
  // PostgreSQL cannot copy a database that has connections.
  await runStatements(postgresUrl, `ALTER DATABASE ${template} ALLOW_CONNECTIONS false`)
  return template
}

async function dropTemplate(postgresUrl: string, template: string): Promise<void> {
  await runStatements(postgresUrl, `DROP DATABASE ${template} WITH (FORCE)`)
}
