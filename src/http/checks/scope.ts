import type { FastifyRequest } from 'fastify'
import type { Scope } from '../../domain/access.ts'
import { scopeNotGranted } from '../../domain/errors.ts'

/** Refuses endpoints outside the key's scopes. */
export function checkScope(scope: Scope | null, { caller }: FastifyRequest): void {
  if (scope === null || caller.key.scopes.includes(scope)) return
  throw scopeNotGranted(scope)
}
