import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Usage } from './usage.ts'

const startTimeoutMs = 120_000
const pollMs = 2

/** A server in a process of its own, on loopback. */
export interface MeasuredServer {
  readonly pid: number
  readonly port: number
  /** From the start of the process to its first good answer at /readyz. */
  readonly readyMs: number
  usage(): Promise<Usage>
  stop(): Promise<void>
}

/** Starts a compiled script, which must listen on PORT and answer GET /readyz; its log is dropped. */
export async function startServer(
  script: string,
  env: Readonly<Record<string, string>>,
  nodeOptions: readonly string[] = [],
): Promise<MeasuredServer> {
  const port = await freePort()
  const startedMs = performance.now()
  const usageReporter = pathToFileURL(join(import.meta.dirname, 'usage.js')).href
  const child = fork(script, {
    env: { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: String(port), ...env },
    execArgv: [...nodeOptions, '--import', usageReporter],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const killed = () => child.kill('SIGKILL')
  process.once('exit', killed)
  await ready(child, port, startedMs + startTimeoutMs)
  return {
    pid: child.pid ?? 0,
    port,
    readyMs: performance.now() - startedMs,
    async usage() {
      child.send('usage')
      const [usage] = await once(child, 'message')
      return usage as Usage
    },
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGINT')
      await exited
      process.off('exit', killed)
    },
  }
}

async function ready(child: ChildProcess, port: number, untilMs: number): Promise<void> {
  const url = `http://127.0.0.1:${port}/readyz`
  for (;;) {
    const ok = await fetch(url).then(
      (response) => response.ok,
      () => false,
    )
    if (ok) return
    if (child.exitCode !== null) throw new Error(`A server ended with code ${child.exitCode}`)
    if (performance.now() > untilMs) throw new Error('A server did not become ready')
    await delay(pollMs)
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('No port is free')
  return address.port
}
