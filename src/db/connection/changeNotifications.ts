import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { lockForServer } from '../migrations/databaseUse.ts'
import type { OrmConnection } from './database.ts'
import { checkTimeouts, connectionSettings, requestTimeouts, withOptions } from './timeouts.ts'

/** A dead connection raises no error by itself; the heartbeat detects it within two seconds. */
const heartbeatMs = 1_000
const retryMs = 500

/** The application name of the listener in `pg_stat_activity`. */
export const listenerName = 'rental-booking-api listener'

interface AccessListener {
  /** Called when an API key or the account of a tenant changes. */
  onAccessChange(tenantId: string): void
  onCatalogChange(tenantId: string): void
  /**
   * Receives true when LISTEN is active, and false when the connection is lost. Changes before
   * `true` may have been missed.
   */
  onListening(listening: boolean): void
  /** Called while `rental transfer` copies the database. The server must end then. */
  onTransfer(): void
}

/**
 * Listens for changes of keys, tenants and catalogs on a connection of its own, which also holds the
 * lock that excludes `rental transfer`. Reconnects when the connection is lost. Returns a function
 * that stops listening. Never throws.
 */
export function listenForChanges(url: string, listener: AccessListener): () => Promise<void> {
  const closing = new AbortController()
  const { signal } = closing
  const running = (async () => {
    while (!signal.aborted) {
      await listenUntilLost(url, listener, signal).catch(() => {})
      listener.onListening(false)
      await delay(retryMs, undefined, { signal }).catch(() => {})
    }
  })()
  return () => {
    closing.abort()
    return running
  }
}

async function listenUntilLost(url: string, listener: AccessListener, signal: AbortSignal) {
  const settings = connectionSettings({ ...requestTimeouts, ...checkTimeouts }, true)
  const client = new pg.Client({
    ...settings,
    connectionString: withOptions(url, settings.options),
    application_name: listenerName,
  })
  const reportLost = () => listener.onListening(false)
  client.on('error', reportLost).on('end', reportLost)
  client.on('notification', ({ channel, payload = '' }) => {
    if (channel === 'access_changed') listener.onAccessChange(payload)
    else listener.onCatalogChange(payload)
  })
  try {
    await client.connect()
    if (!(await lockForServer(client))) return listener.onTransfer()
    await client.query('listen access_changed; listen catalog_changed')
    listener.onListening(true)
    for (;;) {
      await delay(heartbeatMs, undefined, { signal })
      await client.query('select 1')
    }
  } finally {
    // From here on, only the next connection calls `onListening`.
    client.removeAllListeners().on('error', () => {})
    // Do not await: this never resolves when the server no longer responds.
    client.end().catch(() => {})
  }
}

// Do not move these calls to triggers: on a distributed database, triggers cannot notify
// (docs/decisions.md#keys-are-cached-for-seconds-and-invalidated-by-notify).

/**
 * Notifies all replicas that a key or the account of a tenant changed. In a transaction, the
 * notification is sent on commit.
 */
export async function notifyAccessChange({ orm }: OrmConnection, tenantId: string): Promise<void> {
  await orm.execute(sql`select pg_notify('access_changed', ${tenantId})`)
}

/**
 * Notifies all replicas that a tenant's catalog or pricing terms changed. In a transaction, the
 * notification is sent on commit.
 */
export async function notifyCatalogChange({ orm }: OrmConnection, tenantId: string) {
  await orm.execute(sql`select pg_notify('catalog_changed', ${tenantId})`)
}
