import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const project = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

/** A release that was built in its own directory. */
export interface Release {
  readonly server: string
  /** Runs the command line and returns its output. */
  rental(databaseUrl: string, ...args: string[]): Promise<string>
  remove(): Promise<void>
}

/**
 * Builds two releases: `FROM` (a git ref, by default the newest tag) and the committed tree. Without
 * a tag, builds the committed tree and the same tree as a newer version with one more migration.
 */
export async function buildReleases(): Promise<{ readonly from: Release; readonly to: Release }> {
  const tags = await run('git', ['tag', '--list', 'v*', '--sort=-v:refname'], { cwd: project })
  const from = process.env['FROM'] ?? tags.stdout.split('\n')[0] ?? ''
  const present = await build('HEAD')
  if (from !== '') return { from: await build(from, { install: true }), to: present }
  return { from: present, to: await build('HEAD', { change: addMigration }) }
}

interface BuildOptions {
  /** Installs the dependencies of the ref instead of using the installed ones. */
  readonly install?: boolean
  change?(directory: string): Promise<void>
}

async function build(
  ref: string,
  { install = false, change }: BuildOptions = {},
): Promise<Release> {
  await mkdir(join(project, '.cache'), { recursive: true })
  const directory = await mkdtemp(join(project, '.cache', 'release-'))
  const tar = join(directory, 'release.tar')
  await run('git', ['archive', '-o', tar, ref], { cwd: project })
  await run('tar', ['-xf', tar], { cwd: directory })
  if (install) await run('npm', ['ci', '--ignore-scripts', '--no-audit'], { cwd: directory })
  else await symlink(join(project, 'node_modules'), join(directory, 'node_modules'))
  await change?.(directory)
  await run('npm', ['run', '-s', 'build'], { cwd: directory })
  return {
    server: join(directory, 'dist/server.js'),
    async rental(databaseUrl, ...args) {
      const env = { PATH: process.env['PATH'], DATABASE_URL: databaseUrl }
      const command = ['dist/cli.js', ...args]
      const { stdout } = await run(process.execPath, command, { cwd: directory, env })
      return stdout
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}

/** Makes a newer version with a migration for a new column, a changed function and a wider view. */
async function addMigration(directory: string): Promise<void> {
  const edit = async (path: string, change: (text: string) => string) => {
    const file = join(directory, path)
    await writeFile(file, change(await readFile(file, 'utf8')))
  }
  await edit('package.json', (text) => text.replace(/"version": ".*"/, '"version": "999.0.0"'))
  let tag = ''
  await edit('migrations/meta/_journal.json', (text) => {
    const journal = JSON.parse(text)
    tag = `${String(journal.entries.length).padStart(4, '0')}_next`
    journal.entries.push({ ...journal.entries.at(-1), tag, when: Date.now() })
    return JSON.stringify(journal)
  })
  await writeFile(
    join(directory, 'migrations', `${tag}.sql`),
    'ALTER TABLE "bookings" ADD COLUMN "channel" text;\n',
  )
  await edit('src/db/sql/redeem_quote.sql', (text) => `-- Of the next release.\n${text}`)
  await edit('src/db/sql/catalogs.sql', (text) =>
    text.replace('\nFROM tenants', ', t.slug\nFROM tenants'),
  )
}
