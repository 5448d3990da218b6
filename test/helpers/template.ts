import pg from 'pg'

/** Fills the database that every test's own database is a copy of. */
export async function prepareTemplate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('CREATE TABLE IF NOT EXISTS placeholder (id bigint PRIMARY KEY)')
  } finally {
    await client.end()
  }
}
