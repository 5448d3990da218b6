/** What every answer carries, the ones given where no hook runs included. */
export function standardHeaders(requestId: string) {
  return { 'x-request-id': requestId, ...fixedHeaders }
}

/** Those of them that are always the same. */
export const fixedHeaders = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}
