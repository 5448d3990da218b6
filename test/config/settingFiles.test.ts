import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parseConfig } from '../../src/config/environment.ts'
import { problemsOf } from '../helpers/environment.ts'

const secret = 's'.repeat(32)

describe('settings in files', () => {
  const directory = mkdtempSync(join(tmpdir(), 'rental-secrets-'))
  afterAll(() => rmSync(directory, { recursive: true }))
  const file = (name: string, text: string) => {
    const path = join(directory, name)
    writeFileSync(path, text)
    return path
  }

  it('reads a secret from a file without the trailing line break', () => {
    const files = {
      DATABASE_URL_FILE: file('database', 'postgres://db/rental\n'),
      DATABASE_DIRECT_URL_FILE: file('direct', 'postgres://direct/rental'),
      REDIS_URL_FILE: file('redis', 'redis://redis\n'),
      SESSION_SECRETS_FILE: file('sessions', `${secret},${secret}2\n`),
    }
    expect(parseConfig({ NODE_ENV: 'production', ...files })).toMatchObject({
      databaseUrl: 'postgres://db/rental',
      databaseDirectUrl: 'postgres://direct/rental',
      redisUrl: 'redis://redis',
      sessionSecrets: [secret, `${secret}2`],
      demo: false,
    })
  })

  it('rejects a file next to its variable, and an empty or unreadable file', () => {
    const problems = problemsOf({
      DATABASE_URL: 'postgres://db/rental',
      DATABASE_URL_FILE: file('database', 'postgres://db/other'),
      DATABASE_DIRECT_URL_FILE: directory,
      REDIS_URL_FILE: join(directory, 'nowhere'),
      SESSION_SECRETS_FILE: file('empty', '\n'),
      PORT: 'x',
    })
    expect(problems.split('\n').slice(1)).toEqual([
      '  DATABASE_URL_FILE: give either this or DATABASE_URL, not both',
      `  DATABASE_DIRECT_URL_FILE: can't read ${directory}: it is a directory`,
      `  REDIS_URL_FILE: can't read ${join(directory, 'nowhere')}: there is no such file or directory`,
      expect.stringMatching(/^ {2}SESSION_SECRETS_FILE: .* is empty$/),
      '  PORT: must be a number',
    ])
    const path = file('empty', '')
    const empty = `  DATABASE_URL_FILE: ${path} is empty`
    expect(problemsOf({ DATABASE_URL_FILE: path }).split('\n').slice(1)).toEqual([empty])
    const production = { NODE_ENV: 'production', DATABASE_URL_FILE: path }
    expect(problemsOf({ ...production, SESSION_SECRETS_FILE: file('none', ',') })).toBe(
      [
        'Invalid environment:',
        empty,
        '  REDIS_URL: is required in production',
        '  SESSION_SECRETS: is required in production',
      ].join('\n'),
    )
  })

  it('rejects a URL that names a missing certificate file', () => {
    const url = (path: string) => `postgres://db/rental?sslmode=verify-full&sslrootcert=${path}`
    const nowhere = url(join(directory, 'nowhere'))
    const both = { DATABASE_URL: nowhere, DATABASE_DIRECT_URL: nowhere }
    expect(problemsOf(both).split('\n').slice(1)).toEqual([
      "  DATABASE_URL: names a file that can't be read: there is no such file or directory",
      "  DATABASE_DIRECT_URL: names a file that can't be read: there is no such file or directory",
    ])
    expect(problemsOf({ DATABASE_URL: url(file('ca.pem', '')) })).toBe('')
  })
})
