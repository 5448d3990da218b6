import type { WrongVersions } from './wrongSql.ts'

const inSession = 'AND q.session_id IS NOT DISTINCT FROM p_session_id'
const mismatch =
  "WHEN v_quote.session_id IS DISTINCT FROM p_session_id THEN 'QUOTE_SESSION_MISMATCH'"
const used = 'WHEN v_quote.used_at IS NOT NULL THEN'
const expired = "WHEN v_quote.expires_at <= now() THEN 'QUOTE_EXPIRED'"
const erasedRequest = "IF v_record.fingerprint = '' THEN"
const recordedAnew = `${erasedRequest} UPDATE idempotency_records SET fingerprint = p_fingerprint
  WHERE idempotency_key = p_idempotency_key;`
const answered = 'SELECT b.asset_group_id, b.pickup_at, b.dropoff_at, b.total_minor,'
const places = 'p_pickup_location,\n        p_dropoff_location, p_notes)'

/** Wrong versions of the function `redeem_quote`, by the rule that detects them. */
export const wrongRedemptions: WrongVersions = {
  'redeems a quote once': [
    ['a used quote is booked', ['WHEN q.used_at IS NULL THEN', 'WHEN true THEN']],
    ['a quote stays unused', ['SET used_at = v_now', 'SET used_at = NULL']],
  ],
  'rejects an expired quote': [
    ['a minute of grace', ['q.expires_at > v_now', "q.expires_at > v_now - interval '1 minute'"]],
    ['no expiry', ['q.expires_at > v_now', 'true']],
  ],
  'finds a quote only for the key that created it': [
    ['anybody books it', ['AND q.api_key_id = p_api_key_id\n      AND', 'AND']],
    ['a refusal tells of it', ['AND q.api_key_id = p_api_key_id;', ';']],
  ],
  'books a quote only in its own session; a quote without a session only without one': [
    ['any session books it', [inSession, '']],
    ['no session is never the same', [inSession, 'AND q.session_id = p_session_id']],
    [
      'servers book for visitors',
      [inSession, inSession.replace('AND', 'AND p_session_id IS NULL OR')],
    ],
  ],
  'returns the first of several errors: another session, used, expired': [
    ['expired before used', [used, `${expired} ${used}`]],
    ['another session last', [mismatch, ''], ["ELSE 'QUOTE_EXPIRED'", `${expired} ${mismatch}`]],
  ],
  'replays the first response, whether booking or rejection': [
    [
      'refusals are not recorded',
      [
        'INSERT INTO idempotency_records',
        "IF outcome = 'ACCEPTED' THEN INSERT INTO idempotency_records",
      ],
      ['outcome,\n      booking_id);', 'outcome,\n      booking_id); END IF;'],
    ],
    ['a replay looks new', ['replayed := true;', '']],
    ['as if everybody was erased', [erasedRequest, 'IF true THEN']],
  ],
  'rejects another body with the same idempotency key and keeps the first response': [
    ['any body is answered', ['v_record.fingerprint <> p_fingerprint', 'false']],
  ],
  'returns QUOTE_ALREADY_USED to a retry after the customer was erased, and records nothing': [
    ['as another body', [erasedRequest, 'IF false THEN']],
    ['as a replay', [erasedRequest, `${erasedRequest} replayed := true;`]],
    ['recorded in its place', [erasedRequest, recordedAnew]],
  ],
  'replays no response of another visitor or key': [
    ['visitors share answers', ['r.session_scope = v_session_scope AND ', '']],
    ['keys share answers', ['r.api_key_id = p_api_key_id\n    AND', '']],
    ['recorded under one scope', ["coalesce(p_session_id::text, 'server')", "'server'"]],
  ],
  'returns REQUEST_IN_PROGRESS to a concurrent retry and does not block other callers': [
    ['the twin goes on', ['pg_try_advisory_xact_lock(', 'pg_try_advisory_xact_lock_shared(']],
    ['a failed one keeps its key', ['pg_try_advisory_xact_lock(', 'pg_try_advisory_lock(']],
    ['another key is held up', ['p_api_key_id, v_session_scope, p_id', 'v_session_scope, p_id']],
    ['one of a key at a time', ['v_session_scope, p_idempotency_key), 0)', 'v_session_scope), 0)']],
  ],
  'copies the quote and the customer’s input to the booking': [
    ['places swapped', [places, 'p_dropoff_location, p_pickup_location, p_notes)']],
    ['no phone', ['p_customer_phone, p_pickup_location', 'NULL, p_pickup_location']],
    ['another total', ['v_quote.total_minor, v_quote', 'v_quote.total_minor / 100, v_quote']],
  ],
  'stores omitted customer fields as null': [
    [
      'returned where it was picked up',
      [places, 'p_pickup_location, coalesce(p_dropoff_location, p_pickup_location), p_notes)'],
    ],
    ['notes that say so', [places, places.replace('p_notes', "coalesce(p_notes, '-')")]],
  ],
  'returns the booking as accepted': [
    ['another total', [answered, answered.replace('b.total_minor', 'b.total_minor / 100')]],
    [
      'dates swapped',
      [answered, 'SELECT b.asset_group_id, b.dropoff_at, b.pickup_at, b.total_minor,'],
    ],
    ['not new', ['replayed := false;', 'replayed := true;']],
  ],
}
