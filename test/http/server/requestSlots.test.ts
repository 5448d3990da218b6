import type { FastifyRequest } from 'fastify'
import { expect, it } from 'vitest'
import { parseConfig } from '../../../src/config/environment.ts'
import { requestSlots } from '../../../src/http/server/requestSlots.ts'
import { openMetrics } from '../../../src/telemetry/metrics.ts'

const slotsOf = (max: number) =>
  requestSlots({
    now: () => new Date(),
    config: parseConfig({ REQUESTS_IN_PROGRESS_MAX: String(max) }),
    metrics: openMetrics(),
  })

/** Returns what the slots read of a request. */
const aRequest = (keyId: string) =>
  ({
    routeOptions: { url: '/api/v1/quotes' },
    caller: { key: { id: keyId } },
  }) as unknown as FastifyRequest

it.each([
  [30, 20],
  [500, 100],
])('gives a key of %i slots %i, and the others to other keys', (max, share) => {
  const slots = slotsOf(max)
  const enter = (request: FastifyRequest) => slots.take(request) ?? slots.takeForKey(request)
  const own = Array.from({ length: share }, () => aRequest('busy'))
  for (const request of own) expect(enter(request)).toBeUndefined()
  const rejected = aRequest('busy')
  expect(enter(rejected)).toMatchObject({ reason: 'key_slots', retryAfterSeconds: 2 })
  slots.release(rejected)
  const others = Array.from({ length: max - share }, () => aRequest('other'))
  const served = others.filter((request) => enter(request) === undefined)
  expect(served).toHaveLength(Math.min(share, max - share))
  for (const request of own) slots.release(request)
  expect(enter(aRequest('busy'))).toBeUndefined()
})

it('holds no slot between release and the arrival of the body', () => {
  const slots = slotsOf(1)
  const slow = aRequest('slow')
  expect(slots.take(slow)).toBeUndefined()
  slots.release(slow)
  const other = aRequest('other')
  expect(slots.take(other)).toBeUndefined()
  expect(slots.takeForKey(slow)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  slots.release(other)
  expect(slots.takeForKey(slow)).toBeUndefined()
})
