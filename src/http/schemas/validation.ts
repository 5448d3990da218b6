import type { preValidationHookHandler } from 'fastify'
import type { z } from 'zod'
import { type ErrorDetail, validationError } from '../../domain/errors.ts'
import { describeIssue } from '../../input/issues.ts'
import type { Operation } from '../fastify.ts'

export const unreadableBody = Symbol('unreadable body')

/** The parts of a request: for a route, for Fastify, and at the beginning of a problem's path. */
const parts = [
  { declared: 'params', sent: 'params', prefix: ['params'] },
  { declared: 'querystring', sent: 'query', prefix: ['query'] },
  { declared: 'headers', sent: 'headers', prefix: ['headers'] },
  { declared: 'body', sent: 'body', prefix: [] },
] as const

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

type Parts = Partial<Record<(typeof parts)[number]['sent'], unknown>>

/** Puts the parsed values in place of what was sent; returns what is wrong with the others. */
export function parseParts(schemas: Operation['schema'], request: Parts): ErrorDetail[] {
  const details: ErrorDetail[] = []
  for (const { declared, sent, prefix } of parts) {
    const schema = schemas[declared]
    if (schema === undefined) continue
    const input = request[sent]
    const { success, data } = schema.safeParse(input)
    if (success) request[sent] = data
    else details.push(...problemsOf(schema, input, prefix))
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
