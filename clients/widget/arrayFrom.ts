/** Array.from for lengths and iterables. Prototype.js replaces the built-in one by another function. */
export function arrayFrom<Item, Made = Item>(
  items: Iterable<Item> | ArrayLike<Item>,
  make: (item: Item, at: number) => Made = (item) => item as unknown as Made,
): Made[] {
  const list = Symbol.iterator in items ? [...items] : [...Array<Item>(items.length)]
  return list.map(make)
}
