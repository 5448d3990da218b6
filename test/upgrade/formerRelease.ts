import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const project = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

/** 0.1.0, the release before this one. */
const commit = 'e4e0f3a7209867fbbb6bf8f58f889f15cb434be4'

/** A release built from its commit, in a directory of its own. */
export interface FormerRelease {
  /** The entry of its server. */
  readonly server: string
  /** Runs its command line and gives what it prints. */
  rental(databaseUrl: string, ...args: string[]): Promise<string>
  remove(): Promise<void>
}

/** Builds the release before with its own dependencies. Throws when its commit isn't there. */
export async function buildFormerRelease(): Promise<FormerRelease> {
  await run('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: project }).catch(() => {
    throw new Error(`The release before is not in this repository: git fetch origin ${commit}`)
  })
  const directory = await mkdtemp(join(project, '.cache', 'former-'))
  const tar = join(directory, 'release.tar')
  await run('git', ['archive', '-o', tar, commit], { cwd: project })
  await run('tar', ['-xf', tar], { cwd: directory })
  await run('npm', ['ci', '--omit=dev', '--omit=optional', '--ignore-scripts', '--no-audit'], {
    cwd: directory,
  })
  // Its types were checked when it was released. From 0.2.0 on, `build.mjs` builds a release.
  const tsc = join(project, 'node_modules/typescript/bin/tsc')
  await run(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--noCheck'], { cwd: directory })
  return {
    server: join(directory, 'dist/server.js'),
    async rental(databaseUrl, ...args) {
      const env = { PATH: process.env['PATH'], DATABASE_URL: databaseUrl }
      const { stdout } = await run(process.execPath, ['dist/cli.js', ...args], {
        cwd: directory,
        env,
      })
      return stdout
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}
