import type { FastifyRequest } from 'fastify'
import { DomainError } from '../../domain/errors.ts'
import { originAllowed } from '../../domain/origins.ts'

/** Holds browsers to the key's allow list; callers without Origin pass (spec.md "Authentication" 3). */
export function checkOrigin({ caller }: FastifyRequest): void {
  if (caller.origin === null || originAllowed(caller.origin, caller.key.origins)) return
  throw new DomainError(
    'ORIGIN_NOT_ALLOWED',
    'This API key may not be used from this origin. Add the origin to the allow list of the key.',
  )
}
