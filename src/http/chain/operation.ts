import type { FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type { z } from 'zod'
import type { SessionTokens } from '../../auth/sessionTokens.ts'
import type { CatalogCache } from '../../cache/openCaches.ts'
import type { Config } from '../../config/environment.ts'
import type { Database } from '../../db/connection/database.ts'
import type { RentalCounter } from '../../db/queries/bookings/availability.ts'
import type { KeyRecord } from '../../db/queries/keys/keyLookup.ts'
import type { StoreQuote } from '../../db/queries/quotes/storeQuote.ts'
import type { Scope } from '../../domain/accountRules.ts'
import type { ApiError, ErrorCode, PlainErrorCode, Unavailable } from '../../domain/errors.ts'
import type { LimitDecision, LimitedActivity } from '../../domain/limits.ts'

/** The path prefix of all API versions; pages and probes are outside it. */
export const apiRoot = '/api/'
export const apiPrefix = `${apiRoot}v1`

/** Lists HEAD, because Fastify's own HEAD route sets `Content-Length: 0` on a 304. */
export const getAndHead: HTTPMethods[] = ['HEAD', 'GET']

/** Paths that monitoring polls. They are logged only on failure and send no CORS headers. */
export const probePaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

interface Caller extends KeyRecord {
  /** The `Origin` header as sent; null for a server. */
  readonly origin: string | null
  /** Null on the server channel. */
  readonly sessionId: string | null
}

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation
    /** Marks a route without an operation that rejects every request. */
    rejectsAll?: true
    /** `Cache-Control` of responses sent by `sendConditionally`; the default is `no-store`. */
    cacheControl?: string | undefined
  }
  interface FastifyRequest {
    /** Undefined when no operation was reached. */
    operation?: Operation
    caller: Caller
    /** State of the caller's limits, once known; sent as headers. */
    limitDecision?: LimitDecision
    /** Whether the request is uncounted in the daily windows after the response. */
    uncountsBooking?: boolean
    holdsSlot?: boolean
    /** Whether that slot counts for the caller's key. */
    holdsKeySlot?: boolean
    /** For the log; set while tracing is enabled. */
    traceId?: string
    errorCode?: ErrorCode
    unavailableReason?: Unavailable['reason']
  }
}

type Parts = { readonly [Part in 'params' | 'query' | 'headers' | 'body']?: z.ZodType }

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : unknown

type RequestOf<Of extends Parts> = FastifyRequest<{
  Params: Parsed<Of['params']>
  Querystring: Parsed<Of['query']>
  Headers: Parsed<Of['headers']>
  Body: Parsed<Of['body']>
}>

export interface HandlerDeps {
  readonly config: Pick<Config, 'quoteTtlSeconds'>
  readonly database: Database
  readonly catalogs: Pick<CatalogCache, 'find' | 'reload'>
  readonly countRental: RentalCounter
  readonly storeQuote: StoreQuote
  readonly sessionTokens: Pick<SessionTokens, 'sign'>
  readonly now: () => Date
}

/** Declares an operation for the check chain, validation, Fastify and the OpenAPI document. */
export interface Operation<Of extends Parts = Parts> {
  readonly operationId: string
  readonly tag: 'catalog' | 'booking'
  readonly summary: string
  readonly description: string
  readonly method: 'GET' | 'POST'
  /** The path with prefix; parameters are written `:id`. */
  readonly url: string
  readonly access: {
    /** null: any valid key is accepted. */
    readonly scope: Scope | null
    readonly activity: LimitedActivity
    readonly session: boolean
  }
  readonly cacheControl?: string
  /** Whether `Accept-Language` chooses the language of the response. */
  readonly translated?: true
  readonly schema: Of
  readonly requestExample?: object
  readonly response: {
    readonly status: number
    readonly schema: z.ZodType
    readonly description: string
    /** The value of `data`. */
    readonly example: unknown
    /** Headers that other responses do not have. */
    readonly headers?: readonly ('Location' | 'Idempotent-Replayed')[]
    /** OpenAPI link objects that point to the next operation. */
    readonly links?: Readonly<Record<string, object>>
  }
  /** Errors of the handler; the document adds those of the chain and of body parsing. */
  readonly errors?: readonly (PlainErrorCode | ApiError)[]
  handler(deps: HandlerDeps, request: RequestOf<Of>, reply: FastifyReply): Promise<unknown>
}

export const operation = <const Of extends Parts>(declared: Operation<Of>): Operation => declared
