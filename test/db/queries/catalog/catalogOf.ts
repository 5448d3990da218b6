import type pg from 'pg'

/** Returns the definitions of a database's tables as sorted lines. */
export async function catalogOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ fact: string }>(facts)
  return rows.map(({ fact }) => fact)
}

const ofOurTables = `n.nspname = 'public' and t.relkind in ('r', 'p')`

const facts = `
select concat_ws(' ', t.relname, 'column', a.attname, format_type(a.atttypid, a.atttypmod),
  case when a.attnotnull then 'not null' end, 'default ' || pg_get_expr(d.adbin, d.adrelid)) as fact
from pg_attribute a
join pg_class t on t.oid = a.attrelid join pg_namespace n on n.oid = t.relnamespace
left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
where ${ofOurTables} and a.attnum > 0 and not a.attisdropped
union all
-- Since PostgreSQL 18, NOT NULL is also a constraint. It is listed with its column.
select concat_ws(' ', t.relname, c.conname, pg_get_constraintdef(c.oid))
from pg_constraint c
join pg_class t on t.oid = c.conrelid join pg_namespace n on n.oid = t.relnamespace
where ${ofOurTables} and c.contype <> 'n'
union all
select concat_ws(' ', t.relname, pg_get_indexdef(i.indexrelid))
from pg_index i
join pg_class t on t.oid = i.indrelid join pg_namespace n on n.oid = t.relnamespace
where ${ofOurTables}
order by fact`
