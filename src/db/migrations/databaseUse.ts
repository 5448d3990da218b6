import type pg from 'pg'

/** Reports whether a database has any tenant, and so holds data. */
export async function hasTenants(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ any: boolean }>(
    'select exists (select from tenants) as any',
  )
  return rows[0]?.any === true
}

/** Reports whether a server, or a command other than `rental transfer`, uses a database. */
export async function isInUse(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ served: boolean }>(
    `select exists (select from pg_stat_activity where datname = current_database()
       and application_name = 'rental-booking-api') as served`,
  )
  return rows[0]?.served === true
}
