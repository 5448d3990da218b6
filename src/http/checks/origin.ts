import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../domain/errors.ts'
import { originAllowed } from '../../domain/origins.ts'

/** Holds browsers to the key's allow list; callers without Origin pass (decisions 19 and 20). */
export function checkOrigin({ caller }: FastifyRequest): void {
  if (caller.origin === null || originAllowed(caller.origin, caller.key.origins)) return
  throw new ApiError('ORIGIN_NOT_ALLOWED')
}
