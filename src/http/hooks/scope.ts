import type { FastifyRequest } from 'fastify'
import { DomainError } from '../../domain/errors.ts'

/** Refuses endpoints outside the key's scopes (spec.md "Authentication" 7). */
export function checkScope({ caller, routeOptions }: FastifyRequest): void {
  const scope = routeOptions.config.access?.scope ?? null
  if (scope === null || caller.key.scopes.includes(scope)) return
  throw new DomainError('SCOPE_NOT_GRANTED', `This API key lacks the scope ${scope}.`)
}
