import type pg from 'pg'

/**
 * Every wait has an end: the server's own timeouts, and the client's for a server that no longer
 * answers. `queryMs` is the longest for one statement, so that the server gets to speak first: then
 * the answer is known, and the statement has ended before its client gives up on it.
 */
export type Timeouts = Readonly<typeof requestTimeouts>

/** A caller waits about three seconds at most for one statement (decision 130). */
export const requestTimeouts = {
  /** For a free connection of the pool, or a new one. */
  connectMs: 2_000,
  lockMs: 1_500,
  statementMs: 2_000,
  idleTransactionMs: 15_000,
  queryMs: 2_500,
}

/** An operator can wait longer than a website's visitors: an audit or an import takes its time. */
export const operatorTimeouts: Timeouts = {
  ...requestTimeouts,
  lockMs: 2_000,
  statementMs: 600_000,
  queryMs: 603_000,
}

/** Together under the three seconds in which readiness must tell that the database is gone. */
export const checkTimeouts = { connectMs: 1_000, queryMs: 1_000 }

/** A lost client's session ends within half a minute, its running statement within two seconds. */
const serverSideSettings = [
  '-c tcp_keepalives_idle=10',
  '-c tcp_keepalives_interval=5',
  '-c tcp_keepalives_count=3',
  '-c tcp_user_timeout=25000',
  '-c client_connection_check_interval=2000',
  // In another style, 04/03/2038 would be misread.
  '-c datestyle=ISO',
  // Where it is stricter, requests at once fail for no reason (decision 325).
  '-c default_transaction_isolation=read\\ committed',
].join(' ')

/**
 * How statements are planned. Every request finds its rows by an index, and must go on doing so by
 * plans that were made while a table was empty; compiling them would only cost time. An operator's
 * commands may read whole tables, whatever the role says; where tables are distributed, they write
 * one after the other, or a foreign key's check would not see what another connection has written.
 */
const planning = {
  byIndex: '-c enable_seqscan=off -c jit=off',
  freely: '-c enable_seqscan=on -c citus.multi_shard_modify_mode=sequential',
}

/**
 * The timeouts, and the way of planning, in the driver's terms. `direct` is false behind a pooler,
 * which refuses settings that it doesn't know: there the role carries the server's half.
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

/** A URL whose own `options` stand behind ours: the driver would let them replace ours (decision 345). */
export function withOptions(url: string, ours: string | undefined): string {
  if (ours === undefined) return url
  // As text: in a URL with a lone %, in its password, the driver misreads what `URL` escapes.
  return url.replace(/(?<=[?&]options=)/g, `${ours.replaceAll(' ', '+')}+`)
}
