import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'

export const root = join(import.meta.dirname, '../..')
export const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Provides a directory for each test, in which scripts run with stub programs that log their calls. */
export function useScriptSandbox() {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'rental-script-'))
  })
  // Processes that a script has started may still write.
  afterEach(() => rmSync(directory, { recursive: true, maxRetries: 9 }))

  const at = (...path: string[]) => join(directory, ...path)
  return {
    at,
    put(path: string, text = ''): void {
      mkdirSync(at(path, '..'), { recursive: true })
      writeFileSync(at(path), text)
    },
    /** Installs stub programs that log their arguments. */
    programs(scripts: Readonly<Record<string, string>>): void {
      mkdirSync(at('bin'), { recursive: true })
      for (const [name, script] of Object.entries(scripts)) {
        const text = `#!/bin/sh\necho "${name} $*" >> '${at('calls')}'\n${script}\n`
        writeFileSync(at('bin', name), text, { mode: 0o700 })
      }
    },
    calls: () => (existsSync(at('calls')) ? readFileSync(at('calls'), 'utf8').split('\n') : []),
    env: () => ({
      PATH: `${at('bin')}:${process.env['PATH']}`,
      TZ: 'Asia/Tokyo',
      // Not that of a deployment on this machine.
      COMPOSE_PROJECT_NAME: 'script-sandbox',
      // Otherwise bash treats a socket on standard input as a remote login and reads ~/.bashrc.
      SHLVL: '1',
    }),
  }
}
