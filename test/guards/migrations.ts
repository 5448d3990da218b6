/** Statements that a server of the release before could trip over, and why. */
const contracting: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/\bdrop\s+(table|column|function|type|view|trigger|index|constraint)\b/i, 'it may be in use'],
  [/\brename\s+(to|column|constraint|value)\b/i, 'the old name may be in use'],
  [/\bset\s+not\s+null\b/i, 'the release before may leave it out'],
  [/\balter\s+column\s+\S+\s+(set\s+data\s+)?type\b/i, 'kept plans expect the old type'],
  [/\bdrop\s+default\b/i, 'the release before may rely on it'],
  [/^(truncate|delete\s+from)\b/i, 'data is not ours to drop'],
  [/\badd\s+(column\s+)?\S+\s+(?!.*\bdefault\b).*\bnot\s+null\b/i, 'it needs a default'],
  [/\badd\s+constraint\b(?!.*\bnot\s+valid\b)/i, 'add it NOT VALID, validate it later'],
]

const createdTable = /\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?"?(\w+)"?/gi

/**
 * What in a migration does not keep to expand and contract: the release before must be able to run
 * on the schema it leaves. A statement that must come anyway, because no running release needs what
 * it takes away, is marked with a comment before it: `-- contract: why`.
 */
export function contractingStatements(sql: string): string[] {
  const created = new Set([...sql.matchAll(createdTable)].map(([, name]) => name))
  const statements = sql.split(/--> statement-breakpoint|;\s*$/m)
  return statements.flatMap((statement) => {
    if (/^\s*--\s*contract:/m.test(statement)) return []
    const code = statement.replace(/\$\$[\s\S]*?\$\$/g, '').replace(/--.*$/gm, '')
    // What this very migration creates, nobody uses yet.
    const [, altered] = /\balter\s+table\s+(?:only\s+)?"?(\w+)"?/i.exec(code) ?? []
    if (/^\s*create\s+table\b/i.test(code) || created.has(altered)) return []
    const line = code.replace(/\s+/g, ' ').trim()
    const found = contracting.find(([pattern]) => pattern.test(line))
    return found === undefined ? [] : [`${line.slice(0, 80)}: ${found[1]}`]
  })
}
