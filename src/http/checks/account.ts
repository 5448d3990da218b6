import type { FastifyRequest } from 'fastify'
import { accountProblem } from '../../domain/access.ts'
import { ApiError } from '../../domain/errors.ts'

/** Refuses callers whose tenant may not be served, reads included (decision 29). */
export function checkAccount({ caller }: FastifyRequest): void {
  const problem = accountProblem(caller.tenant)
  if (problem !== undefined) throw new ApiError(problem)
}
