/** Only names the socket's file: the server listens on no network address. */
export const port = 5432

/** How to reach the embedded database, in the terms of `pg`'s client options. */
export interface Connection {
  /** The directory of the Unix socket. */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
}

/** The superuser and the database that every cluster has; the application uses both. */
export function connectionTo(socketDirectory: string): Connection {
  return { host: socketDirectory, port, user: 'postgres', database: 'postgres' }
}

/**
 * Writes a connection as a URL that `pg` (`connectionString`), libpq and the WHATWG parser read.
 * The host in the authority is only there for that parser: the one in the query wins.
 */
export function urlOf({ host, port, user, database }: Connection): string {
  const url = new URL(`postgresql://${user}@localhost:${port}/${encodeURIComponent(database)}`)
  url.searchParams.set('host', host)
  return url.href
}
