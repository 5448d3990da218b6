import type { preValidationHookHandler } from 'fastify'
import type { z } from 'zod'
import { type ErrorDetail, validationError } from '../../domain/errors.ts'
import { describeIssue } from '../../input/issues.ts'
import { type Operation, unreadableBody } from '../fastify.ts'

const parts = ['params', 'query', 'headers', 'body'] as const

/**
 * Parses all parts of a request with zod: the handler gets the parsed values, the caller every
 * problem of every part at once, as a VALIDATION_ERROR (decision 230).
 */
export function validatorOf(schemas: Operation['schema']): preValidationHookHandler {
  return (request, _reply, done) => {
    const details = parseParts(schemas, request)
    done(details.length === 0 ? undefined : validationError(details))
  }
}

type Parts = Partial<Record<(typeof parts)[number], unknown>>

/** Puts the parsed values in place of what was sent; returns what is wrong with the others. */
export function parseParts(schemas: Operation['schema'], request: Parts): ErrorDetail[] {
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
  return details
}

/** Parses again to build our messages: asking for ours at once makes a good request cost twice as much. */
function problemsOf(schema: z.ZodType, input: unknown, prefix: readonly string[]): ErrorDetail[] {
  const { error } = schema.safeParse(input, { error: wordsFor })
  return (error?.issues ?? []).map(({ path, message }) => ({
    path: [...prefix, ...path].map(String).join('.'),
    message,
  }))
}

function wordsFor(issue: z.core.$ZodRawIssue): string {
  if (issue.input === unreadableBody) return 'must be valid JSON in UTF-8'
  return describeIssue(issue)
}
