import type { z } from 'zod'
import { type ApiError, type ErrorDetail, validationError } from '../../domain/errors.ts'
import { describeIssue } from '../../input/issues.ts'
import type { Operation } from '../chain/operation.ts'

const parts = ['params', 'query', 'headers', 'body'] as const

/**
 * Parses all parts of a request and replaces them with the parsed values. Returns a
 * VALIDATION_ERROR with all problems of all parts, or undefined.
 */
export function parseRequest(
  schemas: Operation['schema'],
  request: { [Part in (typeof parts)[number]]?: unknown },
): ApiError | undefined {
  const details: ErrorDetail[] = []
  for (const part of parts) {
    const schema = schemas[part]
    if (schema === undefined) continue
    const input = request[part]
    const { success, data } = schema.safeParse(input)
    if (success) request[part] = data
    // Body fields are named by path alone, without the part.
    else details.push(...problemsOf(schema, input, part === 'body' ? [] : [part]))
  }
  return details.length === 0 ? undefined : validationError(details)
}

/**
 * Parses again to build the messages, because custom messages double the cost of a valid request.
 */
function problemsOf(schema: z.ZodType, input: unknown, prefix: readonly string[]): ErrorDetail[] {
  const { error } = schema.safeParse(input, { error: describeIssue })
  return (error?.issues ?? []).map(({ path, message }) => ({
    path: [...prefix, ...path].map(String).join('.'),
    message,
  }))
}
