import { readableBy } from './cors.ts'

/** What every answer carries, the ones given where no hook runs included. */
export function standardHeaders(requestId: string, origin: string | undefined) {
  return { 'x-request-id': requestId, ...fixedHeaders, ...readableBy(origin) }
}

/** Those of them that are always the same. */
export const fixedHeaders = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}
