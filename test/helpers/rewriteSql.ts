import type pg from 'pg'
import { withClient } from './maintenance.ts'

export type Change = readonly [passage: string, instead: string]

/** Returns a pattern for a passage of SQL, with any white space between its words and signs. */
function anySpacing(passage: string): RegExp {
  const tokens = passage.match(/\w+|[^\w\s]/g) ?? []
  return new RegExp(tokens.map((token) => token.replace(/\W/, '\\$&')).join('\\s*'))
}

function rewrite(text: string, changes: readonly Change[]): string {
  return changes.reduce((rewritten, [passage, instead]) => {
    const pattern = anySpacing(passage)
    // A mutant without a change would make its test meaningless.
    if (!pattern.test(rewritten)) throw new Error(`No passage "${passage}" in:\n${text}`)
    return rewritten.replace(pattern, () => instead)
  }, text)
}

async function replaceDefinition(
  url: string,
  query: string,
  name: string,
  changes: readonly Change[],
): Promise<void> {
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ definition: string }>(query, [name])
    await client.query(rewrite(rows[0]?.definition ?? '', changes))
  })
}

/** Rewrites a function in a test's own database. */
export function rewriteFunction(url: string, name: string, changes: readonly Change[]) {
  return replaceDefinition(
    url,
    'select pg_get_functiondef($1::regproc) as definition',
    name,
    changes,
  )
}

/** Rewrites a view in a test's own database. */
export function rewriteView(url: string, name: string, changes: readonly Change[]) {
  const query = `select format('create or replace view %s as %s', $1::text,
    pg_get_viewdef($1::regclass)) as definition`
  return replaceDefinition(url, query, name, changes)
}

/** Rewrites a trigger in a test's own database. */
export function rewriteTrigger(url: string, name: string, changes: readonly Change[]) {
  const query = `select replace(pg_get_triggerdef(oid), 'CREATE TRIGGER',
    'CREATE OR REPLACE TRIGGER') as definition from pg_trigger where tgname = $1`
  return replaceDefinition(url, query, name, changes)
}

/** Rewrites the statements that a pool sends. The pool must not have connected yet. */
export function rewriteWire(pool: pg.Pool, changes: readonly Change[]): void {
  const reword = (text: string) =>
    changes.every(([passage]) => anySpacing(passage).test(text)) ? rewrite(text, changes) : text
  pool.on('connect', (client) => {
    const send = client.query.bind(client) as (...sent: unknown[]) => unknown
    const query = (statement: string | { text: string }, ...more: unknown[]) =>
      typeof statement === 'string'
        ? send(reword(statement), ...more)
        : send({ ...statement, text: reword(statement.text) }, ...more)
    Object.assign(client, { query })
  })
}
