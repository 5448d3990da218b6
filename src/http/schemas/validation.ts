import type { z } from 'zod'
import { type ApiError, type ErrorDetail, validationError } from '../../domain/errors.ts'
import { describeIssue } from '../../input/issues.ts'
import type { Operation } from '../chain/operation.ts'

const parts = ['params', 'query', 'headers', 'body'] as const

/**
 * Parses all parts of a request with zod and puts the values in place of what was sent: the caller is
 * told every problem of every part at once, in the VALIDATION_ERROR that is returned (decision 230).
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
    // A field of the body is named by its path alone (decision 107).
    else details.push(...problemsOf(schema, input, part === 'body' ? [] : [part]))
  }
  return details.length === 0 ? undefined : validationError(details)
}

/** Parses again to build our messages: asking for ours at once makes a good request cost twice as much. */
function problemsOf(schema: z.ZodType, input: unknown, prefix: readonly string[]): ErrorDetail[] {
  const { error } = schema.safeParse(input, { error: describeIssue })
  return (error?.issues ?? []).map(({ path, message }) => ({
    path: [...prefix, ...path].map(String).join('.'),
    message,
  }))
}
