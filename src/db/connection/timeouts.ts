import type pg from 'pg'

/**
 * The timeouts of a connection: the server's, and the client's for an unresponsive server.
 * `queryMs` exceeds `statementMs`, so that a slow statement ends on the server before the client
 * gives up.
 */
export type Timeouts = Readonly<typeof requestTimeouts>

/** Timeouts for API requests; one statement takes about three seconds at most. */
export const requestTimeouts = {
  /** For a free connection of the pool, or for opening a new one. */
  connectMs: 2_000,
  /**
   * For the share of a key or tenant. Shorter than the other waits, so that no request waits first
   * for its share and then for a database that does not respond.
   */
  shareMs: 1_000,
  lockMs: 1_500,
  statementMs: 2_000,
  idleTransactionMs: 15_000,
  queryMs: 2_500,
}

/** Timeouts for operator commands, which include long audits and imports. */
export const operatorTimeouts: Timeouts = {
  ...requestTimeouts,
  lockMs: 2_000,
  statementMs: 600_000,
  queryMs: 603_000,
}

/** Timeouts for readiness checks; their sum must stay below the probe's three seconds. */
export const checkTimeouts = { connectMs: 1_000, queryMs: 1_000 }

/** Ends a lost client's session within half a minute, and its statement within two seconds. */
const serverSideSettings = [
  '-c tcp_keepalives_idle=10',
  '-c tcp_keepalives_interval=5',
  '-c tcp_keepalives_count=3',
  '-c tcp_user_timeout=25000',
  '-c client_connection_check_interval=2000',
  // The driver misreads dates in other styles, such as 04/03/2038.
  '-c datestyle=ISO',
  // At a stricter level, concurrent requests fail with serialization errors.
  '-c default_transaction_isolation=read\\ committed',
  // Compiling a statement takes longer than running it.
  '-c jit=off',
].join(' ')

/**
 * `byIndex` keeps cached plans from scanning tables that were empty when planned
 * (docs/decisions.md#requests-never-scan-tables). `freely` overrides the role's own setting. It
 * also makes Citus write over one connection per node, because foreign key checks do not see
 * uncommitted rows of other connections.
 */
const planning = {
  byIndex: '-c enable_seqscan=off',
  freely: '-c enable_seqscan=on -c citus.multi_shard_modify_mode=sequential',
}

/**
 * Returns the driver's settings for these timeouts and plans. `direct` is false behind a pooler,
 * because poolers reject unknown settings. Then set the timeouts on the database role.
 */
export function connectionSettings(
  timeouts: Timeouts,
  direct: boolean,
  plans: keyof typeof planning = 'freely',
): pg.PoolConfig {
  return {
    connectionTimeoutMillis: timeouts.connectMs,
    query_timeout: timeouts.queryMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...(direct && {
      lock_timeout: timeouts.lockMs,
      statement_timeout: timeouts.statementMs,
      idle_in_transaction_session_timeout: timeouts.idleTransactionMs,
      options: `${serverSideSettings} ${planning[plans]}`,
    }),
  }
}

/**
 * Inserts `ours` before the value of the URL's `options`. Otherwise the driver would use only the
 * URL's.
 */
export function withOptions(url: string, ours: string | undefined): string {
  if (ours === undefined) return url
  // Do not use `URL`: it escapes a lone % in the password, and the driver misreads the result.
  return url.replace(/(?<=[?&]options=)/g, `${ours.replaceAll(' ', '+')}+`)
}
