import type pg from 'pg'
import { hasErrorCode } from '../../domain/hasErrorCode.ts'
import { sqlState } from '../connection/failures.ts'

/** An arbitrary key of the advisory lock that servers share and `rental transfer` holds alone. */
const serverLock = 7_311_043

/** Takes the lock of a server until the session ends; returns false during a transfer. */
export const lockForServer = (client: pg.Client) => lock(client, 'pg_try_advisory_lock_shared')

/** Takes the lock of a transfer until the session ends; returns false while a server runs. */
export const lockForTransfer = (client: pg.Client) => lock(client, 'pg_try_advisory_lock')

async function lock(client: pg.Client, take: string): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(`select ${take}(${serverLock}) as taken`)
  return rows[0]?.taken === true
}

/** Reports whether a database has any tenant, and so holds data. It may have no tables yet. */
export async function hasTenants(client: pg.Client): Promise<boolean> {
  try {
    return (await client.query('select from tenants limit 1')).rowCount === 1
  } catch (error) {
    if (hasErrorCode(error, sqlState.noTable)) return false
    throw error
  }
}
