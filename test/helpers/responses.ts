import { expect } from 'vitest'
import type { ErrorCode } from '../../src/domain/errors.ts'

/** The parts of a response that tests check, for all HTTP clients. */
export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: like supertest's, any JSON.
  readonly body: any
  readonly text: string
  readonly headers: Record<string, string>
}

const integer = /^\d+$/
const leaks =
  /stack|at .+\.(ts|js):\d+|node_modules|drizzle|postgres|pg_|SQLSTATE|ECONN|FST_ERR|ERR_JOSE|select .+ from|relation "|Invalid input|Too (big|small)|expected \w+ to|Unrecognized key/i

/** The start of a detail's message, which must state the rule, not only that the value is invalid. */
const advice = /^(must|is|has) (?!not valid|the wrong type)/

/** Expects the limit headers that every response of the API has. */
export function expectLimitHeaders(answer: Pick<Answer, 'headers'>): void {
  expect(answer.headers['x-ratelimit-limit']).toMatch(integer)
  expect(answer.headers['x-ratelimit-remaining']).toMatch(integer)
  expect(answer.headers['x-ratelimit-reset']).toMatch(integer)
}

/** Expects a successful response with the headers and only `data` in its body. Returns the data. */
export function expectData(answer: Answer, status: number): Answer['body'] {
  expect(answer.status, answer.text).toBe(status)
  expect(Object.keys(answer.body)).toEqual(['data'])
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expectLimitHeaders(answer)
  return answer.body.data
}

/** Expects an error response with the headers, the envelope and no internal details. */
export function expectError(answer: Answer, status: number, code: ErrorCode): void {
  expect([answer.status, answer.body.error?.code], answer.text).toEqual([status, code])
  expect(Object.keys(answer.body)).toEqual(['error'])
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(answer.body.error.message).toEqual(expect.any(String))
  expect(answer.body.error.message).not.toBe('')
  for (const detail of answer.body.error.details ?? []) {
    expect(detail).toEqual({ path: expect.any(String), message: expect.stringMatching(advice) })
  }
  expect(answer.text).not.toMatch(leaks)
  expectLimitHeaders(answer)
}

/** Expects a VALIDATION_ERROR for exactly these fields. */
export function expectInvalid(answer: Answer, ...paths: string[]): void {
  expectError(answer, 400, 'VALIDATION_ERROR')
  const named = answer.body.error.details.map((detail: { path: string }) => detail.path)
  expect(named.sort()).toEqual(paths.sort())
}
