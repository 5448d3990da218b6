/**
 * Returns a value as JSON, without the methods `toJSON` that old libraries such as Prototype.js add to
 * arrays, strings and numbers. They would turn a list into a text.
 */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, function (this: Record<string, unknown>, name, converted) {
    const original = this[name]
    return original instanceof Date ? converted : original
  })
