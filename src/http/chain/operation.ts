import type { FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type { z } from 'zod'
import type { Scope } from '../../domain/access.ts'
import type { ApiError, ErrorCode, PlainErrorCode } from '../../domain/errors.ts'
import type { LimitDecision, LimitedActivity } from '../../domain/limits.ts'
import type { Caller } from '../../services/caller.ts'
import type { Deps } from './dependencies.ts'

/** What every version of the API begins with; outside it are pages and probes. */
export const apiRoot = '/api/'
export const apiPrefix = `${apiRoot}v1`

/** With a HEAD of our own: Fastify's gives a 304 the length of nothing (RFC 9110, 8.6). */
export const getAndHead: HTTPMethods[] = ['HEAD', 'GET']

/** Asked every second or so: worth a line when they bring bad news, and no website's business. */
export const probePaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

/** Who is calling: known once the check `authenticate` has run. */
interface ApiCaller extends Caller {
  /** The `Origin` header as sent; null is the server channel (docs/contract.md). */
  readonly origin: string | null
}

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation
    /** In place of an operation: whoever asks is refused, so nothing needs to be declared. */
    refusesAll?: true
    /** Of answers sent by `sendConditionally` (decision 58); left out, they are `no-store`. */
    cacheControl?: string | undefined
  }
  interface FastifyRequest {
    /** Undefined for what reached no operation. */
    operation?: Operation
    caller: ApiCaller
    /** How the windows of its caller stand, once that is known: every answer shows it. */
    limitDecision?: LimitDecision
    /**
     * Whether its count in the window of the day is given back with its answer: not once a booking
     * was made, or may have been.
     */
    holdsBookingSlot?: boolean
    /** Whether it counts among the requests in progress. */
    holdsSlot?: boolean
    /** For the log, while requests are traced. */
    traceId?: string
    /** The code of its answer, when that is an error. */
    errorCode?: ErrorCode
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

/** An operation: what the chain, the validation, Fastify and the OpenAPI document need of it. */
export interface Operation<Of extends Parts = Parts> {
  readonly operationId: string
  readonly tag: 'catalog' | 'booking'
  readonly summary: string
  readonly description: string
  readonly method: 'GET' | 'POST'
  /** With the prefix, parameters written `:id`. */
  readonly url: string
  readonly access: {
    /** null: any good key will do (decision 17). */
    readonly scope: Scope | null
    readonly activity: LimitedActivity
    /** Whether browsers need a session. */
    readonly session: boolean
  }
  readonly cacheControl?: string
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
    /** OpenAPI link objects: where the next step finds what it needs. */
    readonly links?: Readonly<Record<string, object>>
  }
  /** Its own errors; those of the chain and of a body are added to the document from the fields above. */
  readonly errors?: readonly (PlainErrorCode | ApiError)[]
  handler(deps: Deps, request: RequestOf<Of>, reply: FastifyReply): Promise<unknown>
}

/** Declares an operation: the requests of its handler have the types of its schemas. */
export const operation = <const Of extends Parts>(declared: Operation<Of>): Operation => declared
