/** Returns one property of each entry, under the entry's name. */
export function pluck<Entries extends Readonly<Record<string, object>>, Key extends string>(
  entries: Entries & Readonly<Record<string, Readonly<Record<Key, unknown>>>>,
  key: Key,
) {
  const plucked = Object.entries(entries).map(([name, entry]) => [name, entry[key]])
  return Object.fromEntries(plucked) as {
    [Name in keyof Entries]: Entries[Name] extends Readonly<Record<Key, infer Value>>
      ? Value
      : never
  }
}
