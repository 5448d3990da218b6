import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { access, mkdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { hasErrorCode } from '../../src/domain/hasErrorCode.ts'

const project = resolve(import.meta.dirname, '../..')

/** Within the project, so that what is compiled there finds the installed packages. */
export const compiledDirectory = () =>
  join(project, '.cache', `compiled-${randomBytes(4).toString('hex')}`)

/** Compiles `src` the first time a run asks for it, and gives the path of the server's entry. */
export async function compiledServer(): Promise<string> {
  const directory = inject('compiledDirectory')
  const entry = join(directory, 'server.js')
  if (await isThere(entry)) return entry
  const half = `${directory}.${randomBytes(4).toString('hex')}`
  await mkdir(join(project, '.cache'), { recursive: true })
  await compile(half)
  await rename(half, directory).catch(async (error: unknown) => {
    await rm(half, { recursive: true, force: true })
    // Another test file was faster; its code is as good as ours.
    if (!hasErrorCode(error, 'ENOTEMPTY', 'EEXIST')) throw error
  })
  return entry
}

/** What some tests start by itself. */
const parts = ['src/embedded/postgres.ts', 'src/telemetry/log.ts', 'src/lifecycle/shutdown.ts']

/** As `npm run build` does, with some parts of it beside it. */
async function compile(directory: string): Promise<void> {
  const argv = ['build.mjs', directory, ...parts]
  await promisify(execFile)(process.execPath, argv, { cwd: project })
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
