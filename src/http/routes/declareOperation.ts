import type { HTTPMethods, RouteOptions } from 'fastify'
import type { Operation } from '../fastify.ts'
import { validatorOf } from '../schemas/validation.ts'
import { answerSchema } from '../schemas/values.ts'

/**
 * Takes a route's declaration down, puts its validation in place and gives Fastify the answers'
 * schemas in the form it compiles.
 * @throws Error for a route that leaves the chain or the document guessing
 */
export function declareOperation(route: RouteOptions & { path?: string }): Operation {
  const { url, method, config, schema = {} } = route
  if (config?.access === undefined || config.operation === undefined) {
    throw new Error(
      `The route ${url} does not declare its access (scope, limit, session) and text.`,
    )
  }
  const declared = schema as Operation['schema']
  // Fastify would stop at the first part of a request that is wrong.
  route.preValidation = validatorOf(declared)
  route.schema = { response: compiledAnswers(declared.response) }
  return {
    method: method as HTTPMethods,
    url,
    access: config.access,
    caching: config.caching,
    text: config.operation,
    schema: declared,
  }
}

function compiledAnswers(response: Operation['schema']['response']): Record<string, object> {
  return Object.fromEntries(
    Object.entries(response).map(([status, schema]) => [status, answerSchema(schema)]),
  )
}
