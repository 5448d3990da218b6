import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { access, mkdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { hasErrorCode } from '../../src/domain/hasErrorCode.ts'

const project = resolve(import.meta.dirname, '../..')

/** Returns a new directory in the project, where compiled code finds the installed packages. */
export const compiledDirectory = () =>
  join(project, '.cache', `compiled-${randomBytes(4).toString('hex')}`)

/** Returns the path of the compiled server's entry. Compiles `src` on the first call of a run. */
export async function compiledServer(): Promise<string> {
  const directory = inject('compiledDirectory')
  const entry = join(directory, 'server.js')
  if (await isThere(entry)) return entry
  const temporary = `${directory}.${randomBytes(4).toString('hex')}`
  await mkdir(join(project, '.cache'), { recursive: true })
  await compile(temporary)
  await rename(temporary, directory).catch(async (error: unknown) => {
    await rm(temporary, { recursive: true, force: true })
    // Another test file was faster.
    if (!hasErrorCode(error, 'ENOTEMPTY', 'EEXIST')) throw error
  })
  return entry
}

/** Modules that some tests run separately. */
const parts = ['src/embedded/postgres.ts', 'src/telemetry/log.ts', 'src/lifecycle/shutdown.ts']

/** Compiles as `npm run build` does, and the separate modules. */
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
