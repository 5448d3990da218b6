import { expect } from 'vitest'
import type { ErrorCode } from '../../src/domain/errors.ts'

/** What is looked at of an answer, however it was fetched. */
export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: like supertest's, whatever JSON came.
  readonly body: any
  readonly text: string
  readonly headers: Record<string, string>
}

const integer = /^\d+$/
const leaks =
  /stack|at .+\.(ts|js):\d+|node_modules|drizzle|postgres|pg_|SQLSTATE|ECONN|FST_ERR|ERR_JOSE|select .+ from|relation "|Invalid input|Too (big|small)|expected \w+ to|Unrecognized key/i

/** How a detail reads behind the name of its field, and not that it is somehow wrong. */
const advice = /^(must|is|has) (?!not valid|the wrong type)/

/** The headers that every answer of the API carries (docs/contract.md "Limits"). */
export function expectLimitHeaders(answer: Pick<Answer, 'headers'>): void {
  expect(answer.headers['x-ratelimit-limit']).toMatch(integer)
  expect(answer.headers['x-ratelimit-remaining']).toMatch(integer)
  expect(answer.headers['x-ratelimit-reset']).toMatch(integer)
}

/** A successful answer: its status, one key `data`, the headers. Returns the data. */
export function expectData(answer: Answer, status: number): Answer['body'] {
  expect(answer.status, answer.text).toBe(status)
  expect(Object.keys(answer.body)).toEqual(['data'])
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expectLimitHeaders(answer)
  return answer.body.data
}

/** A refusal in the envelope, with the headers, telling nothing of our insides. */
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

/** A VALIDATION_ERROR that names exactly these fields. */
export function expectInvalid(answer: Answer, ...paths: string[]): void {
  expectError(answer, 400, 'VALIDATION_ERROR')
  const named = answer.body.error.details.map((detail: { path: string }) => detail.path)
  expect(named.sort()).toEqual(paths.sort())
}
