import pg from 'pg'

export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

/** Runs `use` on a new connection, which is closed afterwards. */
export async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return use(client).finally(() => client.end())
}

/** Runs statements in order on a new connection. */
export const runStatements = (url: string, ...statements: string[]): Promise<void> =>
  withClient(url, async (client) => {
    for (const statement of statements) await client.query(statement)
  })

/** Returns the rows of a query on a new connection. */
export const rowsOf = (url: string, text: string) =>
  withClient(url, async (client) => (await client.query(text)).rows)
