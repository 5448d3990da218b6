import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { databaseUrl, runStatements } from '../helpers/maintenance.ts'

const name = `migrate_${randomBytes(4).toString('hex')}`
let url: string

beforeAll(async () => {
  await runStatements(inject('postgresUrl'), `CREATE DATABASE ${name}`)
  url = databaseUrl(inject('postgresUrl'), name)
})
afterAll(() => runStatements(inject('postgresUrl'), `DROP DATABASE ${name} WITH (FORCE)`))

describe('migrate', () => {
  it('is run by one of many that start at once; the others find nothing to do', async () => {
    const applied = await Promise.all(Array.from({ length: 5 }, () => migrate(url)))
    const [most = 0, ...others] = applied.sort((a, b) => b - a)
    expect(most).toBeGreaterThan(0)
    expect(others).toEqual([0, 0, 0, 0])
    expect(await migrate(url)).toBe(0)
  })

  it('holds what the schema says: drizzle-kit finds nothing to generate', async () => {
    const generate = promisify(execFile)('npx', ['drizzle-kit', 'generate', '--name', 'drift'])
    expect((await generate).stdout).toContain('No schema changes')
  })
})
