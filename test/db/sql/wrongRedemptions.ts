import type { WrongVersions } from './wrongSql.ts'

const inSession = 'AND q.session_id IS NOT DISTINCT FROM p_session_id'
const mismatch =
  "WHEN v_quote.session_id IS DISTINCT FROM p_session_id THEN 'QUOTE_SESSION_MISMATCH'"
const used = 'WHEN v_quote.used_at IS NOT NULL THEN'
const expired = "WHEN v_quote.expires_at <= now() THEN 'QUOTE_EXPIRED'"
const erasedRequest = "IF v_record.fingerprint = '' THEN"
const recordedAnew = `${erasedRequest} UPDATE idempotency_records SET fingerprint = p_fingerprint
  WHERE idempotency_key = p_idempotency_key;`
const returnedColumns = 'SELECT b.asset_group_id, b.pickup_at, b.dropoff_at, b.total_minor,'
const dropoff = "p_details->>'dropoff_location'"
const notes = "p_details->>'notes'"

/** Wrong versions of the function `redeem_quote`, by the rule that detects them. */
export const wrongRedemptions: WrongVersions = {
  'redeems a quote once': [
    ['books a used quote', ['WHEN q.used_at IS NULL THEN', 'WHEN true THEN']],
    ['leaves used_at null', ['SET used_at = v_now', 'SET used_at = NULL']],
  ],
  'rejects an expired quote': [
    [
      'accepts a quote up to a minute after its expiry',
      ['q.expires_at > v_now', "q.expires_at > v_now - interval '1 minute'"],
    ],
    ['ignores the expiry', ['q.expires_at > v_now', 'true']],
  ],
  'finds a quote only for the key that created it': [
    [
      'omits the key from the update of the quote',
      ['AND q.api_key_id = p_api_key_id\n      AND', 'AND'],
    ],
    ['omits the key from the lookup of the error', ['AND q.api_key_id = p_api_key_id;', ';']],
  ],
  'books a quote only from the session that created it, and a quote without a session only without one':
    [
      ['omits the session from the update of the quote', [inSession, '']],
      [
        'compares the session with =, which is never true for null',
        [inSession, 'AND q.session_id = p_session_id'],
      ],
      [
        'books a quote of any session when the request has no session',
        [inSession, inSession.replace('AND', 'AND p_session_id IS NULL OR')],
      ],
    ],
  'returns the error of another session before used, and used before expired': [
    ['returns QUOTE_EXPIRED before QUOTE_ALREADY_USED', [used, `${expired} ${used}`]],
    [
      'returns QUOTE_SESSION_MISMATCH last',
      [mismatch, ''],
      ["ELSE 'QUOTE_EXPIRED'", `${expired} ${mismatch}`],
    ],
  ],
  'replays the first response, whether booking or rejection': [
    [
      'records no rejection',
      [
        'INSERT INTO idempotency_records',
        "IF outcome = 'ACCEPTED' THEN INSERT INTO idempotency_records",
      ],
      ['outcome,\n      booking_id);', 'outcome,\n      booking_id); END IF;'],
    ],
    ['returns replayed as false for a replay', ['replayed := true;', '']],
    ['treats the customer of every record as erased', [erasedRequest, 'IF true THEN']],
  ],
  'rejects another body with the same idempotency key and keeps the first response': [
    [
      'replays the response to a request with another body',
      ['v_record.fingerprint <> p_fingerprint', 'false'],
    ],
  ],
  'returns QUOTE_ALREADY_USED to a retry after the customer was erased, and records nothing': [
    ['returns IDEMPOTENCY_KEY_REUSED for an erased customer', [erasedRequest, 'IF false THEN']],
    [
      'marks the response for an erased customer as a replay',
      [erasedRequest, `${erasedRequest} replayed := true;`],
    ],
    ['records the fingerprint of a retry for an erased customer', [erasedRequest, recordedAnew]],
  ],
  'replays no response of another visitor or key': [
    [
      'omits the session from the lookup of the record',
      ['r.session_scope = v_session_scope AND ', ''],
    ],
    ['omits the key from the lookup of the record', ['r.api_key_id = p_api_key_id\n    AND', '']],
    ['uses one scope for every session', ["coalesce(p_session_id::text, 'server')", "'server'"]],
  ],
  'returns REQUEST_IN_PROGRESS to a concurrent retry and does not block other callers': [
    ['locks in shared mode', ['pg_try_advisory_xact_lock(', 'pg_try_advisory_xact_lock_shared(']],
    [
      'locks for the session instead of the transaction',
      ['pg_try_advisory_xact_lock(', 'pg_try_advisory_lock('],
    ],
    [
      'omits the key from the lock',
      ['p_api_key_id, v_session_scope, p_id', 'v_session_scope, p_id'],
    ],
    [
      'omits the idempotency key from the lock',
      ['v_session_scope, p_idempotency_key), 0)', 'v_session_scope), 0)'],
    ],
  ],
  'copies the quote and the customer’s input to the booking': [
    ['stores the notes as drop-off location', [dropoff, notes]],
    ['stores no phone number', ["p_details->>'customer_phone'", 'NULL']],
    [
      'stores a hundredth of the total',
      ['v_quote.total_minor, v_quote', 'v_quote.total_minor / 100, v_quote'],
    ],
  ],
  'stores omitted details as null': [
    [
      'stores the notes for an omitted drop-off location',
      [dropoff, `coalesce(${dropoff}, ${notes})`],
    ],
    ['stores a dash for omitted notes', [notes, `coalesce(${notes}, '-')`]],
  ],
  'returns the booking as accepted': [
    [
      'returns a hundredth of the total',
      [returnedColumns, returnedColumns.replace('b.total_minor', 'b.total_minor / 100')],
    ],
    [
      'swaps pickup and drop-off times',
      [returnedColumns, 'SELECT b.asset_group_id, b.dropoff_at, b.pickup_at, b.total_minor,'],
    ],
    ['returns replayed as true for a new booking', ['replayed := false;', 'replayed := true;']],
  ],
}
