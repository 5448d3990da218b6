import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { freePort } from '../../test/helpers/freePort.ts'

const startTimeoutMs = 120_000
const pollMs = 2

/** A server in a process of its own, on loopback. */
export interface MeasuredServer {
  readonly port: number
  /** Returns the CPU time of the process in microseconds. */
  cpuMicros(): Promise<number>
  stop(): Promise<void>
}

/** Starts a compiled script that listens on PORT and has GET /readyz; its log is dropped. */
export async function startServer(
  script: string,
  env: Readonly<Record<string, string>>,
  nodeOptions: readonly string[] = [],
): Promise<MeasuredServer> {
  const port = await freePort()
  const usageReporter = pathToFileURL(join(import.meta.dirname, 'usage.js')).href
  const child = fork(script, {
    env: { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: String(port), ...env },
    execArgv: [...nodeOptions, '--import', usageReporter],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const killed = () => child.kill('SIGKILL')
  process.once('exit', killed)
  await ready(child, port)
  return {
    port,
    async cpuMicros() {
      child.send('usage')
      const [micros] = await once(child, 'message')
      return micros
    },
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGINT')
      await exited
      process.off('exit', killed)
    },
  }
}

async function ready(child: ChildProcess, port: number): Promise<void> {
  const untilMs = performance.now() + startTimeoutMs
  const isReady = () => fetch(`http://127.0.0.1:${port}/readyz`).then(({ ok }) => ok)
  while (!(await isReady().catch(() => false))) {
    if (child.exitCode !== null) throw new Error(`A server ended with code ${child.exitCode}`)
    if (performance.now() > untilMs) throw new Error('A server did not become ready')
    await delay(pollMs)
  }
}
