import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { parseConfig } from '../../src/config/environment.ts'
import { openDependencies } from '../../src/lifecycle/openDependencies.ts'
import { errorForLog } from '../../src/telemetry/errorForLog.ts'
import { createLog } from '../../src/telemetry/log.ts'
import { sessionSecret } from '../helpers/app.ts'
import { createTestDatabase } from '../helpers/database.ts'
import { runStatements } from '../helpers/maintenance.ts'
import { waitFor } from '../helpers/waitFor.ts'

class DatabaseError extends Error {
  readonly code = '23505'
  readonly constraint = 'api_keys_pkey'
  readonly detail = 'Key (name)=(Kari) already exists.'
}

it('errorForLog returns type, message, stack and cause of an error', () => {
  const cause = new DatabaseError('duplicate key\n    at nowhere')
  const logged = errorForLog(new TypeError('no booking', { cause }))
  const frames = /^ +at .*log\.test\.ts.*(\n +at .*)+$/
  expect(logged).toEqual({
    type: 'TypeError',
    message: 'no booking',
    stack: expect.stringMatching(frames),
    cause: {
      type: 'DatabaseError',
      message: cause.message,
      code: '23505',
      constraint: 'api_keys_pkey',
      stack: expect.stringMatching(frames),
    },
  })
  expect(logged.cause?.stack).not.toContain('nowhere')
})

it.each([
  ['22P02', 'a value was rejected'],
  ['P0001', 'a value was rejected'],
  ['42P01', 'no table Kari'],
])('errorForLog logs the PostgreSQL error %s as: %s', (code, message) => {
  expect(errorForLog(Object.assign(new Error('no table Kari'), { code })).message).toBe(message)
})

it.each([
  ['JSON', () => JSON.parse('{"name":Kari}')],
  ['zod', () => z.literal('Ola').parse('Kari')],
  ['zod’s core', () => z.core.parse(z.literal('Ola'), 'Kari')],
  ['BigInt', () => BigInt('Kari')],
  ['Intl', () => new Intl.DateTimeFormat('en', { timeZone: 'Kari' })],
])('errorForLog quotes no input when %s fails to parse it', (_, read) => {
  let thrown: unknown
  try {
    read()
  } catch (error) {
    thrown = error
  }
  expect(errorForLog(thrown).message).toBe('something could not be read')
})

it('errorForLog removes e-mail addresses, keys and session tokens from messages', () => {
  const people = 'kari@example.com, ola@example.com'
  const secrets = 'pk_live_a1B2_c3, eyJh-b_1.eyJz-d_2.s-I_g3, eyJhb.eyJzd.'
  const { message } = errorForLog(new Error(`to ${people} with ${secrets}`))
  expect(message).toBe('to … … with …, …, …')
})

it('openDependencies logs a lost database connection', async () => {
  const { url, drop } = await createTestDatabase()
  onTestFinished(drop)
  const lines: string[] = []
  const log = createLog('info', { write: (line) => lines.push(line) })
  const config = parseConfig({ SESSION_SECRETS: sessionSecret })
  const { deps, close } = await openDependencies(config, url, log)
  const { rows } = await deps.database.pool.query('select pg_backend_pid() as pid')
  await runStatements(url, `select pg_terminate_backend(${rows[0].pid})`)
  await waitFor(() => lines.some((line) => line.includes('database connection lost')))
  await close()
})
