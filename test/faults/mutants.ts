import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { closeGate } from '../helpers/gates.ts'
import { runStatements } from '../helpers/maintenance.ts'
import { rewriteFunction } from '../helpers/rewriteSql.ts'
import { waitFor } from '../helpers/waitFor.ts'
import type { Booker, Recorder } from './recorder.ts'

/** The context of an exercise: the application on its own database. */
export interface Exercise {
  readonly recorder: Recorder
  readonly databaseUrl: string
  /** A second key of the same tenant. */
  readonly other: Booker
  quote(booker?: Booker): Promise<string>
  countWaiting(): Promise<number>
}

/** A wrong `redeem_quote`: the changes that cause it and the exercise that exposes it. */
export interface Mutant {
  readonly name: string
  readonly changes: readonly (readonly [passage: string, instead: string])[]
  readonly statements: readonly string[]
  readonly foundBy: string
  exercise(on: Exercise): Promise<void>
}

const claimByCheck = [
  ['UPDATE quotes q SET used_at = v_now\n', 'SELECT * INTO v_quote FROM quotes q\n'],
  ['ELSE false END\n    RETURNING * INTO v_quote;', 'ELSE false END;'],
  [
    "outcome := 'ACCEPTED';",
    `outcome := 'ACCEPTED';
      UPDATE quotes SET used_at = v_now WHERE tenant_id = p_tenant_id AND id = p_quote_id;`,
  ],
] as const
const withoutUniqueKey = 'ALTER TABLE bookings DROP CONSTRAINT bookings_quote_unique'
const scope = 'tenant_id, api_key_id, session_scope, idempotency_key'
const leaseMs = 100

export const mutants: readonly Mutant[] = [
  {
    name: 'checks the quote before inserting the booking, without a unique key',
    changes: claimByCheck,
    statements: [withoutUniqueKey],
    foundBy: 'one booking per quote',
    async exercise({ recorder, quote, databaseUrl, countWaiting }) {
      const quoteId = await quote()
      const call = { quoteId, idempotencyKey: randomUUID() }
      const gate = await closeGate(databaseUrl, 'after booking', call)
      const all = Array.from({ length: 8 }, (_, n) => recorder.book(n, { quoteId }))
      await waitFor(async () => (await countWaiting()) > 1)
      await gate.open()
      await Promise.all(all)
    },
  },
  {
    name: 'locks an idempotency key for 100 ms only',
    changes: [
      ...claimByCheck,
      [
        "outcome := 'REQUEST_IN_PROGRESS';\n    RETURN;",
        `IF EXISTS (SELECT 1 FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
          WHERE l.locktype = 'advisory' AND l.granted AND a.pid <> pg_backend_pid()
            AND a.datname = current_database() AND a.state = 'active'
            AND a.query_start > now() - interval '${leaseMs} ms') THEN
          outcome := 'REQUEST_IN_PROGRESS';
          RETURN;
        END IF;`,
      ],
      [
        'outcome,\n      booking_id);',
        `outcome, booking_id)
        ON CONFLICT (${scope}) DO UPDATE SET booking_id = excluded.booking_id;`,
      ],
    ],
    statements: [withoutUniqueKey],
    foundBy: 'identical replays',
    async exercise({ recorder, quote, databaseUrl, countWaiting }) {
      const call = { quoteId: await quote(), idempotencyKey: randomUUID() }
      const gate = await closeGate(databaseUrl, 'after booking', call)
      const first = recorder.book(0, call)
      await gate.arrived()
      await delay(leaseMs)
      const twin = recorder.book(1, call)
      let completed = false
      void twin.finally(() => {
        completed = true
      })
      await waitFor(async () => completed || (await countWaiting()) > 1)
      await gate.open()
      await Promise.all([first, twin])
    },
  },
  {
    name: 'records failures',
    changes: [
      [
        '\nEND\n$function$',
        `
EXCEPTION WHEN disk_full THEN
  outcome := 'SERVICE_UNAVAILABLE';
  INSERT INTO idempotency_records (${scope}, fingerprint, outcome) VALUES (p_tenant_id,
    p_api_key_id, v_session_scope, p_idempotency_key, p_fingerprint, outcome);
END
$function$`,
      ],
    ],
    statements: [
      'ALTER TABLE idempotency_records DROP CONSTRAINT idempotency_records_outcome_check',
    ],
    foundBy: 'a retry resolves an unknown outcome',
    async exercise({ recorder, quote, databaseUrl }) {
      await runStatements(
        databaseUrl,
        `CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'injected' USING ERRCODE = '53100'; END $$`,
        `CREATE TRIGGER disk_full BEFORE INSERT ON bookings FOR EACH ROW
         EXECUTE FUNCTION disk_full()`,
      )
      await recorder.book(0, { quoteId: await quote() })
      await runStatements(databaseUrl, 'DROP TRIGGER disk_full ON bookings')
    },
  },
  {
    name: 'replays responses of other keys and sessions',
    changes: [
      ['r.api_key_id = p_api_key_id\n    AND r.session_scope = v_session_scope AND ', ''],
      ['IF v_record.fingerprint <> p_fingerprint THEN', 'IF false THEN'],
    ],
    statements: [],
    foundBy: 'one quote per booking',
    async exercise({ recorder, quote, other }) {
      const idempotencyKey = 'attempt-1'
      await recorder.book(0, { quoteId: await quote(), idempotencyKey })
      await recorder.book(0, { quoteId: await quote(other), idempotencyKey, booker: other })
    },
  },
  {
    name: 'compares the expiry with the clock of the replica',
    changes: [
      ['q.expires_at > v_now', 'q.expires_at > v_now + (SELECT ahead FROM clock_of_replica)'],
    ],
    statements: [],
    foundBy: 'no booking after QUOTE_EXPIRED',
    async exercise({ recorder, quote, databaseUrl }) {
      const quoteId = await quote()
      // The clock of one replica is an hour ahead, that of the other is correct.
      await runStatements(databaseUrl, "UPDATE clock_of_replica SET ahead = '1 hour'")
      await recorder.book(0, { quoteId })
      await runStatements(databaseUrl, "UPDATE clock_of_replica SET ahead = '0'")
      await recorder.book(1, { quoteId })
    },
  },
]

/** Replaces the redemption in a test's own database with a wrong one. */
export async function installMutant(url: string, { changes, statements }: Mutant): Promise<void> {
  await runStatements(url, ...statements)
  await rewriteFunction(url, 'redeem_quote', changes)
}
