import { randomUUID } from 'node:crypto'
import type { ErrorCode } from '../../../src/domain/errors.ts'
import type { RawRequest } from '../../helpers/rawHttp.ts'
import { goodBooking, goodQuote, type World } from './world.ts'

type Header = readonly [name: string, value: string]

/** What the answer must be; `paths` are the fields that its details name, among others perhaps. */
export interface Wanted {
  readonly status: number
  readonly code?: ErrorCode
  readonly paths?: readonly string[]
}

/** One hostile input: its number, what it is, how it is sent and how it is answered. */
export type NastyCase = readonly [
  id: string,
  what: string,
  request: (world: World) => RawRequest | Promise<RawRequest>,
  wanted: Wanted,
]

export const ok = (status: number): Wanted => ({ status })
export const refused = (status: number, code: ErrorCode): Wanted => ({ status, code })
export const invalid = (...paths: string[]): Wanted => ({
  status: 400,
  code: 'VALIDATION_ERROR',
  paths,
})

const json: Header = ['Content-Type', 'application/json']

export function post(
  { key }: World,
  path: string,
  body: string | Buffer | object,
  headers: readonly Header[] = [json],
): RawRequest {
  return {
    method: 'POST',
    path: `/api/v1${path}`,
    headers: [['X-Api-Key', key], ['Idempotency-Key', randomUUID()], ...headers],
    body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  }
}

export const get = (
  { key }: World,
  path: string,
  headers: readonly Header[] = [],
  method = 'GET',
): RawRequest => ({
  method,
  path: `/api/v1${path}`,
  headers: [['X-Api-Key', key], ...headers],
})

/** A quote request that is good but for the given fields. */
export const quoteWith = (change: object | ((world: World) => object)) => (world: World) =>
  post(world, '/quotes', {
    ...goodQuote(world),
    ...(typeof change === 'function' ? change(world) : change),
  })

/** A quote for one extra in this quantity, written as JSON text. */
export const quantity = (text: string) => (world: World) => {
  const extras = `[{"extraId":"${world.extra}","quantity":${text}}]`
  const rest = JSON.stringify(goodQuote(world)).slice(0, -1)
  return post(world, '/quotes', `${rest},"extras":${extras}}`)
}

/** A quote request sent as these bytes under these headers. */
export const quoteBytes =
  (body: string | Buffer, headers: readonly Header[] = [json]) =>
  (world: World) =>
    post(world, '/quotes', body, headers)

/** A good quote request under these headers. */
export const quoteUnder = (headers: readonly Header[]) => (world: World) =>
  post(world, '/quotes', goodQuote(world), headers)

/** A booking of a fresh quote that is good but for the given fields. */
export const bookingWith = (change: object) => async (world: World) =>
  post(world, '/bookings', { ...goodBooking(await world.quote()), ...change })

/** The same, its customer changed. */
export const customerWith = (change: object) => async (world: World) => {
  const { customer, quoteId } = goodBooking(await world.quote())
  return post(world, '/bookings', { quoteId, customer: { ...customer, ...change } })
}
