-- Lists every primary key, unique key, unique index, exclusion and foreign key, and whether it contains
-- the tenant (primary and foreign keys as the first column). To distribute tables by tenant, Citus requires
-- the tenant in each, and on both sides of foreign keys. Run it with psql on a migrated database.
with keys as (
  select c.conrelid::regclass::text as table, c.conname::text as name, c.contype::text as kind,
         array(select a.attname::text from unnest(c.conkey) with ordinality k(attnum, position)
               join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.attnum
               order by k.position) as columns,
         c.confrelid::regclass::text as referenced,
         array(select a.attname::text from unnest(c.confkey) with ordinality k(attnum, position)
               join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.attnum
               order by k.position) as referenced_columns
  from pg_constraint c
  where c.contype in ('p', 'u', 'f', 'x') and c.connamespace = 'public'::regnamespace
  union all
  select i.indrelid::regclass::text, i.indexrelid::regclass::text, 'i',
         array(select a.attname::text from unnest(i.indkey) with ordinality k(attnum, position)
               join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
               order by k.position), null, null
  from pg_index i join pg_class t on t.oid = i.indrelid
  where i.indisunique and t.relnamespace = 'public'::regnamespace
)
select keys.*, (columns[1] = 'tenant_id' or kind in ('u', 'i') and 'tenant_id' = any(columns))
  and (kind <> 'f' or referenced_columns[1] = 'tenant_id' or referenced = 'tenants') as qualifies
from keys order by 1, 2
