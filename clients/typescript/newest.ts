const entriesMax = 200

/** Sets an entry as the newest of the map, and deletes the oldest entry if the map is full. */
export function keepNewest<Value>(entries: Map<string, Value>, id: string, value: Value): void {
  entries.delete(id)
  const [oldest] = entries.keys()
  if (entries.size >= entriesMax && oldest !== undefined) entries.delete(oldest)
  entries.set(id, value)
}
