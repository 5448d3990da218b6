/** Unchecked JSON together with the place it was found at. */
export interface RawValue {
  readonly path: readonly PropertyKey[]
  readonly value: unknown
}

/** A field of a raw object; undefined when there is no such object or field. */
export function field({ path, value }: RawValue, name: string): RawValue {
  const found: unknown = isRecord(value) ? value[name] : undefined
  return { path: [...path, name], value: found }
}

/** The entries of a list in a raw object; none when it is no list. */
export function entries(object: RawValue, name: string): RawValue[] {
  const { path, value } = field(object, name)
  if (!Array.isArray(value)) return []
  return value.map((entry: unknown, index) => ({ path: [...path, index], value: entry }))
}

/** The value if it is text. */
export function text({ value }: RawValue): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
