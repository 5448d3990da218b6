/** Only names the socket's file: the server listens on no network address. */
export const port = 5432

/**
 * The URL of the database that every cluster has, as the superuser it has, for `pg`, libpq and the
 * WHATWG parser. The host in the authority is only there for that parser: the one in the query
 * wins.
 */
export function urlOf(socketDirectory: string): string {
  const url = new URL(`postgresql://postgres@localhost:${port}/postgres`)
  url.searchParams.set('host', socketDirectory)
  return url.href
}
