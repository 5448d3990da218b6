import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { phasesOf } from '../src/shutdown.ts'
import { compiledServer } from './helpers/compiledServer.ts'

const running = {
  deps: { lifecycle: { draining: false }, tracing: { close: async () => {} } },
  source: { announceStop: async () => {} },
} as unknown as Parameters<typeof phasesOf>[0]

describe('a server that is asked to end', () => {
  it('has ended before a supervisor kills it, 15 s later, whatever its phases do', () => {
    const limits = phasesOf(running, 'SIGTERM').map(({ limitMs }) => limitMs)
    expect(limits).toHaveLength(6)
    expect(limits.reduce((sum, limitMs) => sum + limitMs, 0)).toBeLessThan(15_000)
  })

  it.each([
    ['SIGTERM', 'waits'],
    ['SIGINT', 'goes on'],
  ] as const)('on %s %s: a person has no load balancer that must see it', async (signal, what) => {
    const drained = phasesOf(running, signal)[0]?.run()
    expect(await Promise.race([drained?.then(() => 'goes on'), delay(50, 'waits')])).toBe(what)
  })

  it('goes through all phases, though each fails or never ends', async () => {
    const script = `
      import { shutDownOnSignals } from ${JSON.stringify(join(dirname(await compiledServer()), 'shutdown.js'))}
      const fail = () => Promise.reject(new Error('it is away'))
      const tell = ({ phase, outcome }) => outcome && console.log(phase, outcome)
      shutDownOnSignals({
        app: { close: fail, server: { closeAllConnections: () => { throw new Error('it is gone') } } },
        deps: {
          config: {}, lifecycle: {}, log: { info: tell, error: () => {} },
          tracing: { close: () => new Promise(() => {}) },
        },
        closeDeps: fail,
        source: { announceStop: fail, stop: fail },
      })
      setInterval(() => {}, 60_000)
      process.kill(process.pid, 'SIGINT')`
    const argv = ['--input-type=module', '-e', script]
    // Rejects unless it ends with 0, and soon.
    const { stdout } = await promisify(execFile)(process.execPath, argv, { timeout: 30_000 })
    expect(stdout.trim().split('\n')).toEqual([
      'drain done',
      'finish requests failed',
      'cut off failed',
      'flush traces late',
      'close connections failed',
      'stop database failed',
    ])
  })
})
