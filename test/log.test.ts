import { expect, it } from 'vitest'
import { z } from 'zod'
import { errorForLog } from '../src/log.ts'

class DatabaseError extends Error {
  readonly code = '23505'
  readonly constraint = 'api_keys_pkey'
  readonly detail = 'Key (name)=(Kari) already exists.'
}

it('of an error the log has what happened, where, and what caused it', () => {
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

it('of an error that caused itself the log has six', () => {
  const error = new Error('once and again')
  error.cause = error
  expect(JSON.stringify(errorForLog(error)).match(/once and again/g)).toHaveLength(6)
})

it.each([
  ['22P02', 'a value was refused'],
  ['P0001', 'a value was refused'],
  ['42P01', 'no table Kari'],
])('of PostgreSQL’s error %s the log says: %s', (code, said) => {
  expect(errorForLog(Object.assign(new Error('no table Kari'), { code })).message).toBe(said)
})

it.each([
  ['JSON', () => JSON.parse('{"name":Kari}')],
  ['zod', () => z.literal('Ola').parse('Kari')],
  ['zod’s core', () => z.core.parse(z.literal('Ola'), 'Kari')],
  ['a number', () => BigInt('Kari')],
])('of what %s could not read the log quotes nothing', (_, read) => {
  let thrown: unknown
  try {
    read()
  } catch (error) {
    thrown = error
  }
  expect(errorForLog(thrown).message).toBe('something could not be read')
})

it('of an error about several people the log names none', () => {
  const { message } = errorForLog(new Error('to kari@example.com, ola@example.com'))
  expect(message).toBe('to … …')
})
