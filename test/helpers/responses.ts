import { expect } from 'vitest'
import type { ErrorCode } from '../../src/domain/errors.ts'

/** The parts of a response that tests check, for all HTTP clients. */
export interface TestResponse {
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
export function expectLimitHeaders(response: Pick<TestResponse, 'headers'>): void {
  expect(response.headers['x-ratelimit-limit']).toMatch(integer)
  expect(response.headers['x-ratelimit-remaining']).toMatch(integer)
  expect(response.headers['x-ratelimit-reset']).toMatch(integer)
}

/** Expects a successful response with the headers and only `data` in its body. Returns the data. */
export function expectData(response: TestResponse, status: number): TestResponse['body'] {
  expect(response.status, response.text).toBe(status)
  expect(Object.keys(response.body)).toEqual(['data'])
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
  expectLimitHeaders(response)
  return response.body.data
}

/** Expects an error response with the headers, the envelope and no internal details. */
export function expectError(response: TestResponse, status: number, code: ErrorCode): void {
  expect([response.status, response.body.error?.code], response.text).toEqual([status, code])
  expect(Object.keys(response.body)).toEqual(['error'])
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(response.body.error.message).toEqual(expect.any(String))
  expect(response.body.error.message).not.toBe('')
  for (const detail of response.body.error.details ?? []) {
    expect(detail).toEqual({ path: expect.any(String), message: expect.stringMatching(advice) })
  }
  expect(response.text).not.toMatch(leaks)
  expectLimitHeaders(response)
}

/** Expects a VALIDATION_ERROR for exactly these fields. */
export function expectInvalid(response: TestResponse, ...paths: string[]): void {
  expectError(response, 400, 'VALIDATION_ERROR')
  const named = response.body.error.details.map((detail: { path: string }) => detail.path)
  expect(named.sort()).toEqual(paths.sort())
}
