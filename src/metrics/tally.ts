import { Counter, type Registry } from 'prom-client'

/** One number of a tally, to be raised where the counted thing happens. */
export interface Count {
  value: number
}

/** A counter for hot paths: counting is an addition, and the rest is done when somebody asks. */
export interface Tally<Label extends string> {
  /** The count of these labels, the same object each time; worth keeping where it is used. */
  of(labels: Readonly<Record<Label, string>>): Count
}

export function createTally<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly Label[],
): Tally<Label> {
  const counts = new Map<
    string,
    { readonly labels: Record<Label, string>; readonly count: Count }
  >()
  new Counter({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    collect() {
      this.reset()
      for (const { labels, count } of counts.values()) this.inc(labels, count.value)
    },
  })
  return {
    of(labels) {
      const key = labelNames.map((label) => labels[label]).join(' ')
      const known = counts.get(key)
      if (known !== undefined) return known.count
      const count = { value: 0 }
      counts.set(key, { labels: { ...labels }, count })
      return count
    },
  }
}
