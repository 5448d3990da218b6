import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { phasesOf } from '../../src/lifecycle/shutdown.ts'
import { compiledServer } from '../helpers/compiledServer.ts'

const running = {
  deps: { lifecycle: { draining: false }, tracing: { close: async () => {} } },
  source: {},
} as unknown as Parameters<typeof phasesOf>[0]

describe('the shutdown phases', () => {
  it('limits all phases to less than 15 s in total', () => {
    const phases = phasesOf(running, 'SIGTERM')
    const limits = phases.map(({ limitMs }) => limitMs)
    expect(limits).toHaveLength(6)
    // The limit in docs/operations.md; spans that are not sent by then are lost.
    expect(phases.find(({ name }) => name === 'flush traces')?.limitMs).toBe(900)
    expect(limits.reduce((sum, limitMs) => sum + limitMs, 0)).toBeLessThan(15_000)
  })

  it.each([
    ['SIGTERM', 'waits'],
    ['SIGINT', 'does not wait'],
  ] as const)('waits for a load balancer only on SIGTERM: %s %s', async (signal, what) => {
    const drained = phasesOf(running, signal)[0]?.run()
    expect(await Promise.race([drained?.then(() => 'does not wait'), delay(50, 'waits')])).toBe(
      what,
    )
  })

  it('runs every phase when each phase fails or never ends', async () => {
    const script = `
      import { shutDownOnSignals } from ${JSON.stringify(join(dirname(await compiledServer()), 'shutdown.js'))}
      const fail = () => Promise.reject(new Error('it is away'))
      const tell = ({ phase, outcome }) => outcome && console.log(phase, outcome)
      const tellFailure = ({ phase, err }, text) => console.log(text, phase, err.message)
      shutDownOnSignals({
        app: { close: fail, server: { closeAllConnections: () => { throw new Error('it is gone') } } },
        deps: {
          config: { startedByNpm: true }, lifecycle: {}, log: { info: tell, error: tellFailure },
          tracing: { close: () => new Promise(() => {}) },
        },
        closeDeps: fail,
        source: { stop: fail },
      })
      setInterval(() => {}, 60_000)
      // Ctrl-C under npm sends two signals: from the terminal and, a little later, from npm.
      process.kill(process.pid, 'SIGINT')
      setTimeout(() => process.kill(process.pid, 'SIGINT'), 20)`
    const argv = ['--input-type=module', '-e', script]
    const { stdout } = await promisify(execFile)(process.execPath, argv, { timeout: 30_000 })
    expect(stdout.trim().split('\n')).toEqual([
      'drain done',
      'shutdown phase failed finish requests it is away',
      'finish requests failed',
      'shutdown phase failed cut off it is gone',
      'cut off failed',
      'flush traces late',
      'shutdown phase failed close connections it is away',
      'close connections failed',
      'shutdown phase failed stop database it is away',
      'stop database failed',
    ])
  })
})
