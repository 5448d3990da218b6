import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { DomainError } from '../../domain/errors.ts'
import {
  type Limit,
  type LimitDecision,
  type LimitWindow,
  unauthenticatedWindow,
  windowsOf,
} from '../../domain/limits.ts'
import { addressBlock } from '../addressBlock.ts'
import { limitHeaders, refusalHeaders } from '../limitHeaders.ts'

type LimitDeps = Pick<Deps, 'limiter' | 'config'>

/**
 * Counts a request that may be served in the windows of its key and visitor (decisions 37 to 41).
 * @throws DomainError RATE_LIMITED
 */
export async function countRequest(
  { limiter, config }: LimitDeps,
  limit: Limit,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const decision = await limiter.consume(request.caller.key.id, windowsFor(config, limit, request))
  if (!decision.allowed) throw rateLimited(reply, decision)
  request.counted = decision
  reply.headers(limitHeaders(decision))
}

/**
 * Counts a request that was refused before the limits by its address, never by its key: a key is in
 * the source of a page, and whoever found it there must not use up what its site needs (decision 39).
 * A look-up that failed is nobody's doing and counts nowhere.
 * @throws DomainError RATE_LIMITED
 */
export async function countRefusal(
  deps: LimitDeps,
  limit: Limit,
  refusal: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (!(refusal instanceof DomainError)) return showAddress(deps, request, reply)
  if (refusal.code.startsWith('API_KEY_')) return countAddress(deps, request, reply)
  const { limiter, config } = deps
  const windows = windowsFor(config, limit, request)
  // Asked together, so that they share a call.
  const [, standing] = await Promise.all([
    countAddress(deps, request, reply),
    limiter.consume(request.caller.key.id, windows, { count: false }),
  ])
  reply.headers(limitHeaders(standing))
}

/**
 * Counts a request that no key answers for by its address: it supplies the headers and keeps
 * guessing slow (decision 40).
 * @throws DomainError RATE_LIMITED
 */
export async function countAddress(
  { limiter, config }: LimitDeps,
  { ip }: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const decision = await limiter.consume(addressBlock(ip), addressWindows(config))
  if (!decision.allowed) throw rateLimited(reply, decision)
  reply.headers(limitHeaders(decision))
}

/** Shows how the window of an address stands to a request that counts nowhere. */
export async function showAddress(
  { limiter, config }: LimitDeps,
  { ip }: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const windows = addressWindows(config)
  reply.headers(limitHeaders(await limiter.consume(addressBlock(ip), windows, { count: false })))
}

const addressWindows = ({ unauthenticatedPerMinute }: LimitDeps['config']) => [
  unauthenticatedWindow(unauthenticatedPerMinute),
]

function windowsFor(
  { limits }: LimitDeps['config'],
  limit: Limit,
  { caller: { key, origin }, ip }: FastifyRequest,
): readonly LimitWindow[] {
  const visitor = () => (origin === null ? undefined : addressBlock(ip))
  return windowsOf(limit, { ...limits, ...key.limits }, visitor)
}

function rateLimited(reply: FastifyReply, decision: LimitDecision): DomainError {
  reply.headers(refusalHeaders(decision))
  return new DomainError('RATE_LIMITED', 'Too many requests. Wait for Retry-After seconds.')
}
