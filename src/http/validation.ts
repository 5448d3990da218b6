import type { FastifySchemaCompiler } from 'fastify'
import type { z } from 'zod'
import { DomainError, type ErrorDetail } from '../domain/errors.ts'
import { describeIssue } from '../input/fields.ts'

/** How a detail's path starts for each part of a request; fields of the body stand for themselves. */
const pathPrefixes: Readonly<Record<string, readonly string[]>> = {
  headers: ['headers'],
  params: ['params'],
  querystring: ['query'],
}

/**
 * Lets Fastify validate with zod: the handler gets the parsed value, the caller every problem of
 * that part at once, as a VALIDATION_ERROR.
 */
export const zodValidator: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  const prefix = pathPrefixes[httpPart ?? ''] ?? []
  return (input) => {
    const { success, data } = schema.safeParse(input)
    if (success) return { value: data }
    // Again for the words: asking for ours makes a good request cost twice as much.
    const { error } = schema.safeParse(input, { error: describeIssue })
    const issues = error?.issues ?? []
    return { error: validationError(issues.map((issue) => toDetail(issue, prefix))) }
  }
}

/** A VALIDATION_ERROR about the given fields. */
export function validationError(details: readonly ErrorDetail[]): DomainError {
  return new DomainError('VALIDATION_ERROR', 'The request is not valid; see details.', details)
}

function toDetail(issue: z.core.$ZodIssue, prefix: readonly string[]): ErrorDetail {
  return { path: [...prefix, ...issue.path].map(String).join('.'), message: issue.message }
}
