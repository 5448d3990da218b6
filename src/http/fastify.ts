import type { FastifyInstance, FastifyPluginAsync, FastifyTypeProvider, HTTPMethods } from 'fastify'
import type { z } from 'zod'
import type { Deps } from '../deps.ts'
import type { Scope } from '../domain/access.ts'
import type { ApiError, ErrorCode, PlainErrorCode } from '../domain/errors.ts'
import type { LimitDecision, LimitedActivity } from '../domain/limits.ts'
import type { Caller } from '../services/caller.ts'

/** What every version of the API begins with; outside it are pages and probes. */
export const apiRoot = '/api/'
export const apiPrefix = `${apiRoot}v1`

/** Who is calling: known once the check `authenticate` has run. */
interface ApiCaller extends Caller {
  /** The `Origin` header as sent; null is the server channel (docs/contract.md). */
  readonly origin: string | null
}

/** What a route under /api/v1 must declare about itself; the chain does the rest. */
interface RouteAccess {
  /** null: any good key will do (decision 17). */
  readonly scope: Scope | null
  readonly limit: LimitedActivity
  readonly session: boolean
}

/** What the OpenAPI document says of an operation beyond its schemas. */
interface OperationText {
  readonly operationId: string
  readonly tag: 'catalog' | 'booking'
  readonly summary: string
  readonly description: string
  /** Describes the successful answer, and shows one. */
  readonly answer: {
    readonly description: string
    readonly example: unknown
    /** Those of its own, beside the ones of every answer. */
    readonly headers?: readonly ('Location' | 'Idempotent-Replayed')[]
    /** Where the next step finds what it needs, as OpenAPI's link objects. */
    readonly links?: Readonly<Record<string, object>>
  }
  /** The errors of its own; those of the chain and of a body are added from what it declares. */
  readonly errors?: readonly (PlainErrorCode | ApiError)[]
  readonly bodyExample?: unknown
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: RouteAccess
    /**
     * The `Cache-Control` of successful answers, which carry an ETag and honour `If-None-Match`
     * (decision 58); left out, answers are not to be kept.
     */
    caching?: string
    /** False: no script of any website may read its answers. */
    cors?: false
    operation?: OperationText
  }
  interface FastifyRequest {
    /** Undefined for what reached no operation. */
    operation?: Operation
    caller: ApiCaller
    /** How the windows of its caller stand, once that is known: every answer shows it. */
    limitDecision?: LimitDecision
    /** Whether it holds a place among the bookings of the day. */
    holdsBookingPlace?: boolean
    mayHaveBooked?: boolean
    /** For the log, while requests are traced. */
    traceId?: string
    /** The code of its answer, when that is an error. */
    errorCode?: ErrorCode
  }
}

/** Gives handlers the types of the zod schemas their route was declared with. */
export interface ZodTypeProvider extends FastifyTypeProvider {
  validator: this['schema'] extends z.ZodType ? z.output<this['schema']> : unknown
}

/** A route as declared: what the document, the fuzzer and the answers to other methods go by. */
export interface Operation {
  readonly method: HTTPMethods
  /** With the prefix, parameters written `:id`. */
  readonly url: string
  readonly access: RouteAccess
  readonly caching: string | undefined
  readonly text: OperationText
  readonly schema: {
    readonly params?: z.ZodType
    readonly querystring?: z.ZodType
    readonly headers?: z.ZodType
    readonly body?: z.ZodType
    readonly response: Readonly<Record<string, z.ZodType>>
  }
}

export interface ApiPluginOptions {
  readonly deps: Deps
}

export type RoutePlugin = FastifyPluginAsync<ApiPluginOptions>

/** Of a page that is no website's business. */
export const forOperators = { config: { cors: false } } as const

export const typed = (app: FastifyInstance) => app.withTypeProvider<ZodTypeProvider>()
