import type { WrongVersions } from './wrongSql.ts'

const erased = `from erased b
      where e.tenant_id = b.tenant_id and e.booking_id = b.id`

const ofSecret = (column: string) => `(select ${column} from api_key_secrets where key_hash = $1)`

/** Wrong versions of the statements of `src/db`, as they are sent to the database. */
export const wrongStatements: WrongVersions = {
  'finds a key and its tenant by each of its secrets': [
    [
      'omits the hash of the secret',
      [`k.tenant_id = ${ofSecret('tenant_id')}`, 'k.tenant_id = s.tenant_id'],
      [`k.id = ${ofSecret('api_key_id')}`, 'k.id = s.api_key_id'],
      [`t.id = ${ofSecret('tenant_id')}`, 't.id = s.tenant_id'],
      ['where s.key_hash = $1', 'where $1::bytea is not null'],
    ],
    ['omits the key from the join', [`k.id = ${ofSecret('api_key_id')}`, 'true']],
    ['omits the tenant from the join', [`t.id = ${ofSecret('tenant_id')}`, 'true']],
  ],
  'ends a secret at the earlier of its own expiry and that of its key': [
    ['returns the later of two expiry times', ['least(', 'greatest(']],
  ],
  'returns only the current catalog of the tenant': [
    [
      'selects the groups of every tenant',
      ['"asset_groups"."tenant_id" = $1', '$1::uuid is not null'],
    ],
    ['selects the extras of every tenant', ['"extras"."tenant_id" = $1', '$1::uuid is not null']],
    ['selects archived groups', ['"asset_groups"."archived_at" is null', 'true']],
    [
      'selects archived rates',
      ['archived_at is null order by asset_group_id', 'true order by asset_group_id'],
    ],
    ['selects archived extras', ['"extras"."archived_at" is null', 'true']],
  ],
  'orders groups by category, name and id': [
    [
      'omits the category from the order of groups',
      ['order by "asset_groups"."category" asc, ', 'order by '],
    ],
    ['omits the name from the order of groups', ['"asset_groups"."name" asc, ', '']],
    ['orders groups by descending id', [', "asset_groups"."id" asc', ', "asset_groups"."id" desc']],
  ],
  'orders rates by start date with null first, then name and id': [
    ['orders rates without a start date last', ['nulls first', 'nulls last']],
    ['omits the name from the order of rates', ['nulls first, name, id', 'nulls first, id']],
    ['orders rates by descending id', ['nulls first, name, id', 'nulls first, name, id desc']],
  ],
  'returns a booking only to the key that created it': [
    [
      'selects a booking of any key',
      ['id = $2 and api_key_id = $3', 'id = $2 and $3::uuid is not null'],
    ],
    [
      'selects a booking of any tenant',
      ['tenant_id = $1 and id = $2 and', '$1::uuid is not null and id = $2 and'],
    ],
    ['omits the id of the booking', ['and id = $2 and', 'and $2::uuid is not null and']],
  ],
  'changes a status only from the status that staff read, and records the actor': [
    ['updates a booking in any status', ['"bookings"."status" = $4', '$4::text is not null']],
    ['updates every booking of the tenant', ['"bookings"."id" = $3', '$3::uuid is not null']],
  ],
  'locks secrets in one order when replicas store their last use': [
    ['does not lock secrets before the update', ['for no key update', '']],
  ],
  'erases one customer from every field and from the reasons of staff, and no other customer': [
    ['does not erase the notes', ['notes = null, ', '']],
    ['does not erase the phone number', ['customer_phone = null, ', '']],
    ['erases bookings of every tenant', ['b.tenant_id = $1 and', '$1::uuid is not null and']],
    [
      'clears fingerprints of records without a booking',
      ['and r.booking_id = b.id', 'and r.booking_id is null'],
    ],
    [
      'leaves the fingerprint unchanged',
      ["set fingerprint = '' from", 'set fingerprint = r.fingerprint from'],
    ],
    ['clears the fingerprints of all bookings of the key', ['and r.booking_id = b.id', '']],
    ['leaves the reasons unchanged', ['set reason = null', 'set reason = e.reason']],
    ['clears the reasons of all bookings', [erased, 'from erased b where true']],
    [
      'erases a booking that is already erased',
      ['b.erased_at is null or exists', 'true or exists'],
    ],
    [
      'treats bookings with a past drop-off as open',
      ['b.dropoff_at > now()', 'b.dropoff_at < now()'],
    ],
  ],
  'a second erasure clears reasons written after the first, and is recorded': [
    [
      'skips bookings that have reasons',
      ['b.erased_at is null or exists', 'b.erased_at is null and not exists'],
    ],
    ['erases again because of the erasure event', ['n.from_status <> n.to_status and ', '']],
    ['erases again because of a status change without a reason', [' and n.reason is not null', '']],
    [
      'erases again because of reasons of other bookings',
      ['n.booking_id = b.id', 'n.booking_id is not null'],
    ],
    ['clears the reason of the erasure event', ['and e.from_status <> e.to_status', '']],
    ['records every erasure as the first', ['before.erased_at is null then', 'true then']],
  ],
  'stores a recorded response for 24 hours': [
    [
      'reads the retention of records as minutes instead of hours',
      ['make_interval(hours =>', 'make_interval(mins =>'],
    ],
    ['deletes records younger than the retention', ['created_at < now()', 'created_at > now()']],
  ],
  'keeps an unused quote for 48 hours after expiry and a used quote forever': [
    [
      'reads the retention of quotes as days instead of hours',
      ['make_interval(hours =>', 'make_interval(days =>'],
    ],
    [
      'deletes used quotes instead of unused quotes',
      ['r.used_at is null\n', 'r.used_at is not null\n'],
    ],
  ],
  'deletes a status change three years after both the change and the rental': [
    [
      'ignores the age of the status change',
      ['r.created_at < now() - make_interval(years => $1)', '$1::int > 0'],
    ],
    [
      'ignores the end of the rental',
      ['b.dropoff_at < now() - make_interval(years => $2)', '$2::int > 0'],
    ],
    [
      'reads the retention of status changes as months instead of years',
      ['make_interval(years => $1)', 'make_interval(months => $1)'],
    ],
  ],
  'reports inconsistent rows and none when all are consistent': [
    ['ignores a quote with two bookings', ['having count(*) > 1', 'having count(*) > 2']],
    [
      'ignores a used quote without a booking',
      ['q.used_at is not null and not exists', 'false and not exists'],
    ],
    [
      'ignores a booking whose quote is unused',
      ['q.id = b.quote_id where q.used_at is null', 'q.id = b.quote_id where false'],
    ],
    [
      'ignores a booking up to a minute after the expiry of its quote',
      ['b.created_at > q.expires_at', "b.created_at > q.expires_at + interval '1 minute'"],
    ],
    [
      'ignores a booking with another total than its quote',
      ['b.total_minor, ', ''],
      ['q.total_minor, ', ''],
    ],
    [
      'ignores a booking with another key than its quote',
      ['(b.api_key_id, ', '('],
      ['(q.api_key_id, ', '('],
    ],
    [
      'ignores a record with another session than its quote',
      ["r.session_scope <> coalesce(q.session_id::text, 'server')", 'false'],
    ],
    [
      'ignores a record with another key than its booking',
      ['r.api_key_id <> b.api_key_id', 'false'],
    ],
    [
      'ignores an ACCEPTED record without a booking',
      ["(r.outcome = 'ACCEPTED') <> (b.id is not null)", 'false'],
    ],
    [
      'ignores a recorded SERVICE_UNAVAILABLE',
      ["r.outcome not in ('ACCEPTED',", "r.outcome not in ('SERVICE_UNAVAILABLE', 'ACCEPTED',"],
    ],
    ['ignores lines whose sum is not the subtotal', ["<> (b->>'subtotal')::numeric\n", '< 0\n']],
    [
      'ignores a total other than subtotal plus tax',
      ["(b->>'total')::numeric <> (b->>'subtotal')::numeric", 'false and 0 <> 0'],
    ],
    [
      'ignores a quote whose breakdown has another total',
      ["replace(b->>'total', '.', '')::numeric <> q.total_minor", 'false'],
    ],
    [
      'ignores a status that no status change set',
      ["coalesce(last.to_status, 'pending')", 'coalesce(last.to_status, b.status)'],
    ],
    [
      'compares the status with the first status change',
      ["= 'confirmed' desc limit 1", "= 'confirmed' limit 1"],
    ],
  ],
}
