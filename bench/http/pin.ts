import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import process from 'node:process'
import { promisify } from 'node:util'
import type { MeasuredServer } from './processes.ts'

/**
 * Runs `work` with the server's process on the last core and ours on the others, so that a latency
 * is the server's own. PostgreSQL and Redis stay where they are; without `taskset` everybody does.
 */
export async function onItsOwnCore<T>(server: MeasuredServer, work: () => Promise<T>): Promise<T> {
  const last = availableParallelism() - 1
  if (last === 0) return work()
  await Promise.all([pin(process.pid, `0-${last - 1}`), pin(server.pid, `${last}`)])
  try {
    return await work()
  } finally {
    await Promise.all([process.pid, server.pid].map((pid) => pin(pid, `0-${last}`)))
  }
}

const pin = (pid: number, cores: string) =>
  promisify(execFile)('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, `${pid}`]).catch(
    () => undefined,
  )
