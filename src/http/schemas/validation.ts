import { type ApiError, type ErrorDetail, validationError } from '../../domain/errors.ts'
import { type Problem, problemsOf } from '../../input/issues.ts'
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
    // Building the messages doubles the cost, so a valid request is parsed without them.
    else details.push(...problemsOf(schema, input).map((problem) => detailOf(part, problem)))
  }
  return details.length === 0 ? undefined : validationError(details)
}

/** Names body fields by path alone, without the part. */
function detailOf(part: (typeof parts)[number], { path, message }: Problem): ErrorDetail {
  return { path: [...(part === 'body' ? [] : [part]), ...path].map(String).join('.'), message }
}
