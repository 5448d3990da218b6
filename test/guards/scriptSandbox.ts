import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'

export const root = join(import.meta.dirname, '../..')
export const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** A directory of its own for each test, in which a script runs beside programs that only note their calls. */
export function useScriptSandbox() {
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
    put(path: string, text = ''): void {
      mkdirSync(at(path, '..'), { recursive: true })
      writeFileSync(at(path), text)
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
