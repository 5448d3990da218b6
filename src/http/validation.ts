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
    const result = schema.safeParse(input, { error: describeIssue })
    if (result.success) return { value: result.data }
    return { error: validationError(result.error.issues.map((issue) => toDetail(issue, prefix))) }
  }
}

/** A VALIDATION_ERROR about the given fields. */
export function validationError(details: readonly ErrorDetail[]): DomainError {
  return new DomainError('VALIDATION_ERROR', 'The request is not valid; see details.', details)
}

function toDetail(issue: z.core.$ZodIssue, prefix: readonly string[]): ErrorDetail {
  return { path: [...prefix, ...issue.path].map(String).join('.'), message: issue.message }
}
