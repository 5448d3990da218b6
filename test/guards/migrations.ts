/** Statements that could break a server of the previous release, with the reasons. */
const contracting: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/\bdrop\s+(table|column|function|type|view|trigger|index|constraint)\b/i, 'it may be in use'],
  [/\brename\s+(to|column|constraint|value)\b/i, 'the old name may be in use'],
  [/\bset\s+not\s+null\b/i, 'the previous release may omit it'],
  [/\balter\s+column\s+\S+\s+(set\s+data\s+)?type\b/i, 'cached plans expect the old type'],
  [/\bdrop\s+default\b/i, 'the previous release may rely on it'],
  [/^(truncate|delete\s+from)\b/i, 'a migration must not delete rows'],
  [/\badd\s+(column\s+)?\S+\s+(?!.*\bdefault\b).*\bnot\s+null\b/i, 'it needs a default'],
  [
    /\badd\s+constraint\b(?!.*\bnot\s+valid\b)/i,
    'add it NOT VALID, validate it in the next migration',
  ],
  [
    /\bcreate\s+(unique\s+)?index\s+(?!if\s+not\s+exists\b)/i,
    'it blocks writes: operators create it concurrently first, so add IF NOT EXISTS',
  ],
]

const createdTable = /\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?"?(\w+)"?/gi

const changedTable =
  /\b(?:alter\s+table\s+(?:only\s+)?|create\s+(?:unique\s+)?index\s.*?\bon\s+)"?(\w+)"?/is

/**
 * Returns the statements of a migration that could break the previous release, which must run on the
 * new schema. A comment `-- contract: why` before a statement permits it if no running release is affected.
 */
export function contractingStatements(sql: string): string[] {
  const created = new Set([...sql.matchAll(createdTable)].map(([, name]) => name))
  const statements = sql.split(/--> statement-breakpoint|;\s*$/m)
  return statements.flatMap((statement) => {
    if (/^\s*--\s*contract:/m.test(statement)) return []
    const code = statement.replace(/\$\$[\s\S]*?\$\$/g, '').replace(/--.*$/gm, '')
    // No running release uses tables that the same migration creates.
    const [, altered] = changedTable.exec(code) ?? []
    if (/^\s*create\s+table\b/i.test(code) || created.has(altered)) return []
    const line = code.replace(/\s+/g, ' ').trim()
    // The trigger is replaced in the same transaction.
    const [, trigger] = /^drop\s+trigger\s+"?(\w+)"?/i.exec(line) ?? []
    if (new RegExp(`\\bcreate\\s+trigger\\s+"?${trigger}\\b`, 'i').test(sql)) return []
    const found = contracting.find(([pattern]) => pattern.test(line))
    return found === undefined ? [] : [`${line.slice(0, 80)}: ${found[1]}`]
  })
}
