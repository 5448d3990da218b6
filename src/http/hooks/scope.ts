import type { FastifyRequest } from 'fastify'
import type { Scope } from '../../domain/access.ts'
import { DomainError } from '../../domain/errors.ts'

/** Refuses endpoints outside the key's scopes (spec.md "Authentication" 7). */
export function checkScope(scope: Scope | null, { caller }: FastifyRequest): void {
  if (scope === null || caller.key.scopes.includes(scope)) return
  throw new DomainError('SCOPE_NOT_GRANTED', `This API key lacks the scope ${scope}.`)
}
