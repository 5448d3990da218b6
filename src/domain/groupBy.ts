/** Indexes rows by key, and returns a function that looks up the rows of a key. */
export function groupBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string) {
  const found = new Map<string, Row[]>()
  for (const row of rows) {
    const key = keyOf(row)
    const others = found.get(key)
    if (others) others.push(row)
    else found.set(key, [row])
  }
  return (key: string): readonly Row[] => found.get(key) ?? []
}
