import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'

const lookEveryMs = 300

/** Who keeps session `$1` waiting; not by what, since a statement may hold personal data. */
const blockers = `
  select format('process %s (%s%s)', pid,
    coalesce(nullif(application_name, ''), backend_type, 'unknown'),
    coalesce(', ' || state || ', transaction since '
      || to_char(xact_start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), '')) as described
  from pg_stat_activity where pid = any(pg_blocking_pids($1)) order by pid`

/** Tells whom `client` waits for, whenever that changes; nobody, if it can't connect to look. */
export async function watchBlockers(
  connectionString: string,
  client: pg.Client,
  onBlocked: (sentence: string) => void,
) {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const stopped = new AbortController()
  let seen = ''
  const watcher = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 })
  watcher.on('error', () => {})

  async function watch(): Promise<void> {
    await delay(lookEveryMs, undefined, { signal: stopped.signal })
    await watcher.connect()
    for (;;) {
      const found = await watcher.query<{ described: string }>(blockers, [rows[0]?.pid])
      const now = found.rows.map(({ described }) => described).join(', ')
      if (now !== '' && now !== seen) onBlocked(`Waiting for ${now}.`)
      seen = now || seen
      await delay(lookEveryMs, undefined, { signal: stopped.signal })
    }
  }

  const watched = watch().catch(() => {})
  return {
    /** Whom the session was last seen waiting for. */
    seen: () => seen || 'a session that could not be seen',
    async stop() {
      stopped.abort()
      await watched
      await watcher.end()
    },
  }
}
