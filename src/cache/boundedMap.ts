/** A Map by text that lets go of its oldest entries when it gets too heavy. */
export interface BoundedMap<Value> {
  get(id: string): Value | undefined
  /** Puts an entry in as the newest. */
  set(id: string, value: Value): void
  delete(id: string): void
  clear(): void
  size(): number
}

/** Entries go in the order in which they were set; one that is too heavy by itself stays alone. */
export function boundedMap<Value>(
  weightMax: number,
  weightOf: (value: Value) => number,
): BoundedMap<Value> {
  const kept = new Map<string, Value>()
  let weight = 0

  function remove(id: string): void {
    const value = kept.get(id)
    if (value !== undefined && kept.delete(id)) weight -= weightOf(value)
  }

  return {
    get: (id) => kept.get(id),
    set(id, value) {
      // Set anew, since a Map keeps the order in which entries came.
      remove(id)
      weight += weightOf(value)
      for (const oldest of kept.keys()) {
        if (weight <= weightMax) break
        remove(oldest)
      }
      kept.set(id, value)
    },
    delete: remove,
    clear() {
      kept.clear()
      weight = 0
    },
    size: () => kept.size,
  }
}
