import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const compiler = join(root, 'node_modules/.bin/tsc')

/** A project that has installed what `npm pack` makes of the client. */
export interface Project {
  readonly folder: string
  write(file: string, text: string): Promise<void>
  /** Runs a program of Node in it; its output. */
  node(...words: string[]): Promise<string>
  /** Compiles in it, with these settings. */
  compile(settings: object, files: readonly string[]): Promise<void>
  remove(): Promise<void>
}

/** Packs the client and installs it the way npm does, into a new project. */
export async function installClient(packageJson: object): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'integrator-'))
  const source = join(folder, 'source')
  const write = (file: string, text: string) => writeFile(join(folder, file), text)
  // A copy, so that nothing is built in the working tree, where others may be packing, too.
  await cp(join(root, 'clients/typescript'), join(source, 'clients/typescript'), {
    recursive: true,
    filter: (path) => !path.endsWith('dist'),
  })
  await cp(join(root, 'tsconfig.json'), join(source, 'tsconfig.json'))
  await symlink(join(root, 'node_modules'), join(source, 'node_modules'))
  const cwd = join(source, 'clients/typescript')
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd })
  const [{ filename }] = JSON.parse(stdout)
  const installed = join(folder, 'node_modules/@rental-booking/client')
  await mkdir(installed, { recursive: true })
  await run('tar', ['xzf', join(folder, filename), '-C', installed, '--strip-components=1'])
  await rm(source, { recursive: true })
  await write('package.json', JSON.stringify(packageJson))
  return {
    folder,
    write,
    node: async (...words) => (await run(process.execPath, words, { cwd: folder })).stdout,
    async compile(compilerOptions, files) {
      await write('tsconfig.json', JSON.stringify({ compilerOptions, files }))
      await run(compiler, ['-p', folder]).catch(({ stdout }) => {
        throw new Error(stdout)
      })
    },
    remove: () => rm(folder, { recursive: true }),
  }
}
