import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { commands } from '../../src/admin/commands.ts'
import { bashCompletion } from '../../src/admin/completion/bash.ts'
import { commandLineOn } from './commandLine.ts'

/** What bash would offer after these words, the last one perhaps half typed. */
async function offered(...typed: string[]): Promise<string[]> {
  const script = `${bashCompletion(commands)}
    COMP_LINE="rental $*"; COMP_POINT=\${#COMP_LINE}; _rental; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', script, 'bash', ...typed])
  return stdout.split('\n').filter((line) => line !== '')
}

describe('completion in bash', () => {
  it('offers commands, and the second word of those that have two', async () => {
    expect(await offered('')).toEqual(expect.arrayContaining(['help', 'migrate', 'fleet', 'keys']))
    expect(await offered('ma')).toEqual(['maintain'])
    expect((await offered('keys', '')).sort()).toEqual([
      'create',
      'list',
      'revoke',
      'rotate',
      'set',
    ])
    expect(await offered('bookings', 're')).toEqual(['reject'])
  })

  it('offers the options of a command', async () => {
    expect(await offered('migrate', '--')).toEqual(['--dry-run', '--json', '--help'])
    expect(await offered('bookings', 'list', '--tenant', 'fjord', '--st')).toEqual(['--status'])
    expect(await offered('bookings', 'confirm', 'some-id', '--f')).toEqual(['--force'])
  })

  it('offers the fixed values of options and arguments', async () => {
    expect(await offered('tenants', 'set', 'fjord', '--online-booking', '')).toEqual(['on', 'off'])
    expect(await offered('tenants', 'set', 'fjord', '--subscription', 'p')).toEqual(['past_due'])
    expect(await offered('keys', 'create', '--scopes', 'b')).toEqual([
      'bookings:create',
      'bookings:read',
    ])
    // Bash completes what comes after the colon.
    expect(await offered('keys', 'create', '--scopes', 'bookings:c')).toEqual(['create'])
    expect(await offered('keys', 'create', '--tenant', '')).toEqual([])
    expect(await offered('completion', '')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']))
  })

  it('offers files where a file is meant', async () => {
    expect(await offered('fleet', 'import', 'examples/fl')).toEqual(['examples/fleet.json'])
  })
})

describe('rental completion', () => {
  const run = commandLineOn('postgres://nowhere.invalid/x')

  it.each(['bash', 'zsh', 'fish'])('prints a script for %s, without a database', async (shell) => {
    const { exitCode, out } = await run(['completion', shell])
    expect(exitCode).toBe(0)
    for (const { name } of commands) expect(out).toContain(name)
    const asJson = await run(['completion', shell, '--json'])
    expect(JSON.parse(asJson.out)).toEqual({ shell, script: out })
  })

  it('knows no other shell', async () => {
    expect(await run(['completion', 'tcsh'])).toMatchObject({ exitCode: 2, out: '' })
  })
})
