import { randomInt } from 'node:crypto'
import pg from 'pg'
import { runStatements } from './maintenance.ts'
import { waitFor } from './waitFor.ts'

/** The points in its transaction at which a redemption can be held. */
export const gatePoints = [
  'after lock',
  'after quote',
  'after booking',
  'after record',
  'at commit',
] as const

export type GatePoint = (typeof gatePoints)[number]

/** A closed gate. A redemption that reaches it waits until it is opened. */
export interface Gate {
  /** Resolves when a redemption waits at the gate. */
  arrived(): Promise<void>
  /** Resolves when no redemption waits at the closed gate any more. */
  left(): Promise<void>
  /** Ends the database session of the waiting redemption. */
  terminate(): Promise<void>
  open(): Promise<void>
}

/**
 * Installs the triggers for gates in a test's own database. A gate holds only one quote or its
 * idempotency key. A redemption waits at a gate for a lock, so the lock timeout ends the wait.
 */
export async function installGates(url: string): Promise<void> {
  const trigger = (name: string, kind: string, event: string, point: GatePoint) =>
    `CREATE ${kind} gate_${name} ${event} FOR EACH ROW EXECUTE FUNCTION hold_at_gate('${point}')`
  await runStatements(
    url,
    'CREATE TABLE test_gates (subject text, point text, lock_key bigint)',
    `CREATE FUNCTION hold_at_gate() RETURNS trigger LANGUAGE plpgsql AS $$
     DECLARE
       subject_of_row text := coalesce(to_jsonb(NEW) ->> 'idempotency_key',
         to_jsonb(NEW) ->> 'quote_id', to_jsonb(NEW) ->> 'id');
       gate bigint;
     BEGIN
       SELECT lock_key INTO gate FROM test_gates
       WHERE subject = subject_of_row AND point = TG_ARGV[0];
       IF FOUND THEN PERFORM pg_advisory_xact_lock_shared(gate); END IF;
       RETURN NEW;
     END $$`,
    trigger('lock', 'TRIGGER', 'BEFORE UPDATE ON quotes', 'after lock'),
    trigger('quote', 'TRIGGER', 'BEFORE INSERT ON bookings', 'after quote'),
    trigger('booking', 'TRIGGER', 'AFTER INSERT ON bookings', 'after booking'),
    trigger('record', 'TRIGGER', 'AFTER INSERT ON idempotency_records', 'after record'),
    trigger(
      'commit',
      'CONSTRAINT TRIGGER',
      'AFTER INSERT ON idempotency_records DEFERRABLE INITIALLY DEFERRED',
      'at commit',
    ),
  )
}

/** Closes a gate for one quote and idempotency key. */
export async function closeGate(
  url: string,
  point: GatePoint,
  subject: { readonly quoteId: string; readonly idempotencyKey: string },
): Promise<Gate> {
  const lockKey = randomInt(1, 2 ** 31)
  const holder = new pg.Client({ connectionString: url })
  // A test may kill the server while the gate is closed, which also removes the gate.
  holder.on('error', () => {})
  await holder.connect()
  await holder.query('SELECT pg_advisory_lock($1)', [lockKey])
  await holder.query('INSERT INTO test_gates SELECT unnest($1::text[]), $2, $3', [
    [subject.quoteId, subject.idempotencyKey],
    point,
    lockKey,
  ])
  const waiting = `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
    AND classid = 0 AND objid = $1 AND objsubid = 1`
  const queue = async () => (await holder.query(waiting, [lockKey])).rowCount
  return {
    async arrived() {
      await waitFor(async () => (await queue()) === 1)
    },
    async left() {
      await waitFor(async () => (await queue()) === 0)
    },
    async terminate() {
      await holder.query(`SELECT pg_terminate_backend(pid) FROM (${waiting}) AS w`, [lockKey])
    },
    async open() {
      await holder.query('DELETE FROM test_gates WHERE lock_key = $1', [lockKey]).catch(() => {})
      await holder.end().catch(() => {})
    },
  }
}
