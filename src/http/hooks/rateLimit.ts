import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { DomainError } from '../../domain/errors.ts'
import {
  type Limit,
  type LimitDecision,
  unauthenticatedWindow,
  windowsOf,
} from '../../domain/limits.ts'
import { addressBlock } from '../addressBlock.ts'
import { limitHeaders } from '../limitHeaders.ts'

type LimitDeps = Pick<Deps, 'limiter' | 'config'>

/** Counts a request of a known key and shows how its windows stand; `judgeLimit` decides later. */
export async function countRequest(
  { limiter, config }: LimitDeps,
  limit: Limit,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { key } = request.caller
  const limits = { ...config.limits, ...key.limits }
  const windows = windowsOf(limit, limits, () => addressBlock(request.ip))
  showLimits(request, reply, await limiter.consume(key.id, windows))
}

/** Refuses what `countRequest` found to be over a limit, at its place in the order (decision 16). */
export function judgeLimit({ limitDecision }: FastifyRequest): void {
  if (limitDecision?.allowed !== true) throw rateLimited()
}

/**
 * Counts a request that no key answers for by its address: it supplies the headers and keeps
 * guessing slow (decision 40). Preflights only look (decision 39).
 * @throws DomainError RATE_LIMITED
 */
export async function countAddress(
  { limiter, config }: LimitDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  options = { count: true },
): Promise<void> {
  const windows = [unauthenticatedWindow(config.unauthenticatedPerMinute)]
  const decision = await limiter.consume(addressBlock(request.ip), windows, options)
  showLimits(request, reply, decision)
  if (options.count && !decision.allowed) throw rateLimited()
}

function showLimits(request: FastifyRequest, reply: FastifyReply, decision: LimitDecision): void {
  request.limitDecision = decision
  reply.headers(limitHeaders(decision))
}

function rateLimited(): DomainError {
  return new DomainError('RATE_LIMITED', 'Too many requests. Wait for Retry-After seconds.')
}
