import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import type { OrmConnection } from './database.ts'

/** A dead connection tells nothing: asked this often, it is found out within two seconds. */
const heartbeatMs = 1_000
const answerMs = 1_000
const retryMs = 500

/** The name under which the connection shows in `pg_stat_activity`. */
export const listenerName = 'rental-booking-api listener'

interface AccessListener {
  /** A key or what a tenant may do has changed. */
  onAccessChange(): void
  onCatalogChange(tenantId: string): void
  /** Whether changes are announced from now on; when they are, anything may have changed before. */
  onListening(listening: boolean): void
}

/**
 * Listens for changes of keys, tenants and catalogs, which triggers announce, until what it returns
 * is called; on a connection of its own that it replaces when it is lost. Never throws.
 */
export function listenForAccessChanges(url: string, listener: AccessListener): () => Promise<void> {
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
  const client = new pg.Client({
    connectionString: url,
    application_name: listenerName,
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
    keepAlive: true,
  })
  const lost = () => listener.onListening(false)
  client.on('error', lost).on('end', lost)
  client.on('notification', ({ channel, payload = '' }) => {
    if (channel === 'access_changed') listener.onAccessChange()
    else listener.onCatalogChange(payload)
  })
  try {
    await client.connect()
    await client.query('listen access_changed; listen catalog_changed')
    listener.onListening(true)
    for (;;) {
      await delay(heartbeatMs, undefined, { signal })
      await client.query('select 1')
    }
  } finally {
    // What it tells from now on is of the past.
    client.removeAllListeners().on('error', () => {})
    // Not waited for: a server that no longer answers would never let go.
    client.end().catch(() => {})
  }
}

// Sent in the transaction of a change, it is heard by the listener of each replica when that is
// committed. Where tables are distributed no trigger can send it (decision 392).

/** A key, or what is remembered with it of its tenant, has changed. */
export async function notifyAccessChange({ orm }: OrmConnection): Promise<void> {
  await orm.execute(sql`select pg_notify('access_changed', '')`)
}

/** What a tenant offers, or the terms of its prices. */
export async function notifyCatalogChange({ orm }: OrmConnection, tenantId: string) {
  await orm.execute(sql`select pg_notify('catalog_changed', ${tenantId})`)
}
