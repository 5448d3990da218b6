import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { DatabaseSource } from '../embedded/postgres.ts'
import type { Deps } from '../http/chain/dependencies.ts'

/** Three polls of a load balancer that asks every second; requests are still answered meanwhile. */
const drainMs = 3_000
/**
 * Longer than one statement may take, with the wait for its connection. After that mostly clients
 * that don't read are left; a request of several statements can be cut off where each is slow.
 */
const finishMs = 6_000
const closeMs = 2_000
const flushMs = 900
/** npm sends its script a terminal's signal a second time; within this it counts once. */
const echoMs = 1_000

interface Running {
  readonly app: FastifyInstance
  readonly deps: Pick<Deps, 'config' | 'lifecycle' | 'log' | 'tracing'>
  closeDeps(): Promise<void>
  readonly source: DatabaseSource
}

type Phase = ReturnType<typeof phasesOf>[number]

/** In order. The limits add up to less than the 15 s a supervisor waits. */
export function phasesOf(running: Running, signal: NodeJS.Signals) {
  const { app, deps, closeDeps, source } = running
  const flushTraces = deps.tracing?.close
  return [
    {
      name: 'drain',
      limitMs: drainMs + 500,
      run: async () => {
        deps.lifecycle.draining = true
        // Ctrl-C comes from a person, who has no load balancer to wait for.
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

/** Ends the process in phases on SIGTERM and SIGINT, with code 0; on a second one, at once. */
export function shutDownOnSignals(running: Running): void {
  const { config, log } = running.deps
  let stoppingSinceMs: number | undefined
  const stop = async (signal: NodeJS.Signals) => {
    const nowMs = performance.now()
    if (stoppingSinceMs !== undefined) {
      // npm passes on to its script what a terminal or supervisor has sent to both of them.
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

/** Never rejects: whatever a phase does, the next ones still have to run. */
async function complete({ name, limitMs, run }: Phase, log: Logger): Promise<void> {
  const startedMs = performance.now()
  const late = delay(limitMs, 'late')
  const outcome = await Promise.race([run().then(() => 'done'), late]).catch((err: unknown) => {
    log.error({ err, phase: name }, 'shutdown phase failed')
    return 'failed'
  })
  log.info({ phase: name, outcome, durationMs: Math.round(performance.now() - startedMs) }, 'phase')
}

/** Ends the process when the unforeseen happens: in what state it is, nobody knows. */
export function exitOnCrash(log: Logger): void {
  const crash = (err: unknown) => {
    log.fatal({ err }, 'crashed')
    process.exit(1)
  }
  process.on('uncaughtException', crash)
  // Node by itself would make an exception of it whose message quotes what is no error.
  process.on('unhandledRejection', crash)
}
