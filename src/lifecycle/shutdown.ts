import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { DatabaseSource } from '../embedded/postgres.ts'
import type { Deps } from './openDependencies.ts'

/** Time for load balancers that poll `/readyz` every second to stop sending requests. */
const drainMs = 3_000
/** Longer than one statement and its wait for a connection may take. */
const finishMs = 6_000
const closeMs = 2_000
const flushMs = 900
/**
 * npm forwards a terminal's signal to its script a second time; within this time it counts once.
 */
const echoMs = 1_000

interface Running {
  readonly app: FastifyInstance
  readonly deps: Pick<Deps, 'config' | 'lifecycle' | 'log' | 'tracing'>
  closeDeps(): Promise<void>
  readonly source: DatabaseSource
}

type Phase = ReturnType<typeof phasesOf>[number]

/**
 * Returns the phases of a shutdown, in order. Their limits add up to less than the 15 seconds a
 * supervisor waits.
 */
export function phasesOf(running: Running, signal: NodeJS.Signals) {
  const { app, deps, closeDeps, source } = running
  const flushTraces = deps.tracing?.close
  return [
    {
      name: 'drain',
      limitMs: drainMs + 500,
      run: async () => {
        deps.lifecycle.draining = true
        // Ctrl-C is pressed by a person, so there is no load balancer to wait for.
        if (signal !== 'SIGINT') await delay(drainMs)
      },
    },
    { name: 'finish requests', limitMs: finishMs, run: async () => app.close() },
    { name: 'cut off', limitMs: 500, run: async () => app.server.closeAllConnections() },
    ...(flushTraces ? [{ name: 'flush traces', limitMs: flushMs, run: flushTraces }] : []),
    { name: 'close connections', limitMs: closeMs, run: closeDeps },
    { name: 'stop database', limitMs: closeMs, run: () => source.stop() },
  ]
}

/** Shuts down with exit code 0 on SIGTERM or SIGINT; a second signal exits at once with 1. */
export function shutDownOnSignals(running: Running): void {
  const { config, log } = running.deps
  let stoppingSinceMs: number | undefined
  const stop = async (signal: NodeJS.Signals) => {
    const nowMs = performance.now()
    if (stoppingSinceMs !== undefined) {
      // With npm, the script receives the same signal twice: directly and from npm.
      if (config.startedByNpm && nowMs - stoppingSinceMs < echoMs) return
      process.exit(1)
    }
    stoppingSinceMs = nowMs
    log.info({ signal }, 'stopping')
    for (const phase of phasesOf(running, signal)) await complete(phase, log)
    log.info('stopped')
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

/** Runs a phase and never rejects, because the next phases must still run. */
async function complete({ name, limitMs, run }: Phase, log: Logger): Promise<void> {
  const startedMs = performance.now()
  const late = delay(limitMs, 'late')
  const outcome = await Promise.race([run().then(() => 'done'), late]).catch((err: unknown) => {
    log.error({ err, phase: name }, 'shutdown phase failed')
    return 'failed'
  })
  log.info(
    { phase: name, outcome, durationMs: Math.round(performance.now() - startedMs) },
    'shutdown phase ended',
  )
}

/** Logs uncaught errors and ends the process, because its state is unknown. */
export function exitOnCrash(log: Logger): void {
  const crash = (err: unknown) => {
    log.fatal({ err }, 'uncaught error')
    process.exit(1)
  }
  process.on('uncaughtException', crash)
  // Node's default message quotes rejected values that are not errors; they may be customer data.
  process.on('unhandledRejection', crash)
}
