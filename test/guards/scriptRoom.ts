import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'

export const root = join(import.meta.dirname, '../..')
export const read = (path: string) => readFileSync(join(root, path), 'utf8')
export const daySeconds = 86_400
export const nowSeconds = () => Math.floor(Date.now() / 1_000)

/** A directory of its own for each test, in which a script runs beside programs that only note their calls. */
export function useScriptRoom() {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'rental-script-'))
  })
  // What a script has begun may still note its call.
  afterEach(() => rmSync(directory, { recursive: true, maxRetries: 9 }))

  const at = (...path: string[]) => join(directory, ...path)
  return {
    at,
    /** A file, and the directories that it is in. */
    put(path: string, text = '', ageDays = 0): void {
      mkdirSync(at(path, '..'), { recursive: true })
      writeFileSync(at(path), text)
      const then = nowSeconds() - ageDays * daySeconds
      utimesSync(at(path), then, then)
    },
    /** Programs in place of others; all that they are told is noted. */
    programs(scripts: Readonly<Record<string, string>>): void {
      mkdirSync(at('bin'), { recursive: true })
      for (const [name, script] of Object.entries(scripts)) {
        const text = `#!/bin/sh\necho "${name} $*" >> '${at('told')}'\n${script}\n`
        writeFileSync(at('bin', name), text, { mode: 0o700 })
      }
    },
    told: () => (existsSync(at('told')) ? readFileSync(at('told'), 'utf8').split('\n') : []),
    env: () => ({
      PATH: `${at('bin')}:${process.env['PATH']}`,
      TZ: 'Asia/Tokyo',
      // Else bash takes a socket on its standard input for somebody's login, and reads their settings.
      SHLVL: '1',
    }),
  }
}

/** The same with backup.sh in it, on a volume and with a secret of the directory. */
export function useBackups() {
  const room = useScriptRoom()
  const { at, put, env } = room
  beforeEach(() => {
    put('url', 'postgres://rental_backup:secret@postgres:5432/rental')
    const script = read('docker/backup/backup.sh')
      .replace('/var/lib/postgresql', at())
      .replace('/run/secrets/database_backup_url', at('url'))
    put('backup.sh', script)
  })
  return {
    ...room,
    backup: (command: string) =>
      spawnSync('bash', [at('backup.sh'), command], { env: env(), encoding: 'utf8' }),
    /** Calls functions of the script. */
    calling(calls: string): string {
      const [functions = ''] = readFileSync(at('backup.sh'), 'utf8').split(
        '# One at a time, whoever',
      )
      const argv = ['-c', `${functions}\n${calls}`, at('backup.sh')]
      return execFileSync('bash', argv, { env: env(), encoding: 'utf8', stdio: 'pipe' })
    },
  }
}
