import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const compiler = join(import.meta.dirname, '../../node_modules/.bin/tsc')

export interface Project {
  readonly folder: string
  write(file: string, text: string): Promise<void>
  /** Runs a Node program in the project and returns its output. */
  node(...words: string[]): Promise<string>
  /** Compiles files with the given compiler options. */
  compile(settings: object, files: readonly string[]): Promise<void>
  remove(): Promise<void>
}

/** Installs the client and the widget from an API into a new project, with the guide's commands. */
export async function installClient(apiUrl: string, packageJson: object): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'integrator-'))
  const write = (file: string, text: string) => writeFile(join(folder, file), text)
  await write('package.json', JSON.stringify(packageJson))
  const options = ['--no-audit', '--no-fund', '--cache', join(folder, '.npm')]
  const packages = ['client', 'widget'].map((name) => `${apiUrl}/${name}/v1.tgz`)
  await run('npm', ['install', ...options, ...packages], { cwd: folder })
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
