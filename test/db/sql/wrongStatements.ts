import type { WrongVersions } from './wrongSql.ts'

const erased = `from erased b
      where e.tenant_id = b.tenant_id and e.booking_id = b.id`

const ofSecret = (column: string) => `(select ${column} from api_key_secrets where key_hash = $1)`

/** Wrong versions of the statements of `src/db`, as they are sent to the database. */
export const wrongStatements: WrongVersions = {
  'finds a key and its tenant by each of its secrets': [
    [
      'any secret',
      [`k.tenant_id = ${ofSecret('tenant_id')}`, 'k.tenant_id = s.tenant_id'],
      [`k.id = ${ofSecret('api_key_id')}`, 'k.id = s.api_key_id'],
      [`t.id = ${ofSecret('tenant_id')}`, 't.id = s.tenant_id'],
      ['where s.key_hash = $1', 'where $1::bytea is not null'],
    ],
    ['any key of the tenant', [`k.id = ${ofSecret('api_key_id')}`, 'true']],
    ['any tenant', [`t.id = ${ofSecret('tenant_id')}`, 'true']],
  ],
  'ends a secret at the earlier of its own expiry and that of its key': [
    ['whichever is later', ['least(', 'greatest(']],
  ],
  'returns only the current catalog of the tenant': [
    ["everybody's groups", ['"asset_groups"."tenant_id" = $1', '$1::uuid is not null']],
    ["everybody's extras", ['"extras"."tenant_id" = $1', '$1::uuid is not null']],
    ['archived groups', ['"asset_groups"."archived_at" is null', 'true']],
    ['archived rates', ['"rates"."archived_at" is null', 'true']],
    ['archived extras', ['"extras"."archived_at" is null', 'true']],
  ],
  'orders groups by category, name and id': [
    ['by name', ['order by "asset_groups"."category" asc, ', 'order by ']],
    ['by category', ['"asset_groups"."name" asc, ', '']],
    ['not by id', [', "asset_groups"."id" asc', ', "asset_groups"."id" desc']],
  ],
  'orders rates by start date with null first, then name and id': [
    ['those without one last', ['nulls first', 'nulls last']],
    ['not by name', ['"rates"."name" asc, ', '']],
    ['not by id', ['"rates"."id" asc', '"rates"."id" desc']],
  ],
  'returns a booking only to the key that created it': [
    ['to every key', ['id = $2 and api_key_id = $3', 'id = $2 and $3::uuid is not null']],
    ['to every tenant', ['tenant_id = $1 and id = $2 and', '$1::uuid is not null and id = $2 and']],
    ['any booking', ['and id = $2 and', 'and $2::uuid is not null and']],
  ],
  'changes a status only from the one that staff read, and records the actor': [
    ['from any status', ['"bookings"."status" = $4', '$4::text is not null']],
    ["all the tenant's bookings", ['"bookings"."id" = $3', '$3::uuid is not null']],
  ],
  'locks secrets in one order when replicas store their last use': [
    ['as they come', ['order by key_hash ', '']],
    ['all at the end', ['for no key update', '']],
  ],
  'erases one customer from every field and from the reasons of staff, and no other customer': [
    ['not from the notes', ['notes = null, ', '']],
    ['not from the phone', ['customer_phone = null, ', '']],
    ['only as they wrote it', ['in (lower($2), lower($3), lower($4))', 'in ($2, $3, $4)']],
    ['of every tenant', ['b.tenant_id = $1 and', '$1::uuid is not null and']],
    ['not from their request', ['and r.booking_id = b.id', 'and r.booking_id is null']],
    [
      'not from the fingerprint',
      ["set fingerprint = '' from", 'set fingerprint = r.fingerprint from'],
    ],
    ["from everybody's requests", ['and r.booking_id = b.id', '']],
    ['not from the reasons', ['set reason = null', 'set reason = e.reason']],
    ["from everybody's reasons", [erased, 'from erased b where true']],
    ['again', ['b.erased_at is null or exists', 'true or exists']],
    ['as if all were over', ['b.dropoff_at > now()', 'b.dropoff_at < now()']],
  ],
  'erases reasons written after an erasure at the next erasure, and records that one': [
    [
      'what is erased stays so',
      ['b.erased_at is null or exists', 'b.erased_at is null and not exists'],
    ],
    ['for its own record, again and again', ['n.from_status <> n.to_status and ', '']],
    ['with nothing left', [' and n.reason is not null', '']],
    ["with everybody's reasons left", ['n.booking_id = b.id', 'n.booking_id is not null']],
    ['with its own record', ['and e.from_status <> e.to_status', '']],
    ['as if it were the first', ['before.erased_at is null then', 'true then']],
  ],
  'stores a recorded response for 24 hours': [
    ['for a minute', ['make_interval(hours =>', 'make_interval(mins =>']],
    ['until they are old', ['created_at < now()', 'created_at > now()']],
  ],
  'keeps an unused quote for a week after expiry and a used quote forever': [
    ['for hours', ['make_interval(days =>', 'make_interval(hours =>']],
    ['for good', ['r.used_at is null\n', 'r.used_at is not null\n']],
  ],
  'deletes a status change three years after both the change and the rental': [
    ['until the rental is', ['r.created_at < now() - make_interval(years => $1)', '$1::int > 0']],
    ['until the deed is', ['b.dropoff_at < now() - make_interval(years => $2)', '$2::int > 0']],
    ['for months', ['make_interval(years => $1)', 'make_interval(months => $1)']],
  ],
  'reports inconsistent rows and none when all are consistent': [
    ['two bookings of a quote', ['having count(*) > 1', 'having count(*) > 2']],
    [
      'a used quote without a booking',
      ['q.used_at is not null and not exists', 'false and not exists'],
    ],
    [
      'a booking whose quote is unused',
      ['q.id = b.quote_id where q.used_at is null', 'q.id = b.quote_id where false'],
    ],
    [
      'a booking after the expiry',
      ['b.created_at > q.expires_at', "b.created_at > q.expires_at + interval '1 minute'"],
    ],
    ['another total', ['b.total_minor, ', ''], ['q.total_minor, ', '']],
    ["another key's booking", ['(b.api_key_id, ', '('], ['(q.api_key_id, ', '(']],
    [
      "another session's record",
      ["r.session_scope <> coalesce(q.session_id::text, 'server')", 'false'],
    ],
    ["another key's record", ['r.api_key_id <> b.api_key_id', 'false']],
    [
      'an acceptance without a booking',
      ["(r.outcome = 'ACCEPTED') <> (b.id is not null)", 'false'],
    ],
    [
      'a failure recorded',
      ["r.outcome not in ('ACCEPTED',", "r.outcome not in ('SERVICE_UNAVAILABLE', 'ACCEPTED',"],
    ],
    ['lines that do not add up', ["<> (b->>'subtotal')::numeric\n", '< 0\n']],
    [
      'a total without its tax',
      ["(b->>'total')::numeric <> (b->>'subtotal')::numeric", 'false and 0 <> 0'],
    ],
    [
      'another total than was told',
      ["replace(b->>'total', '.', '')::numeric <> q.total_minor", 'false'],
    ],
    [
      'a status nobody gave',
      ["coalesce(last.to_status, 'pending')", 'coalesce(last.to_status, b.status)'],
    ],
    ['the first status for the last', ["= 'confirmed' desc limit 1", "= 'confirmed' limit 1"]],
  ],
}
