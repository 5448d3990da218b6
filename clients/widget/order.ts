import { isSoldOut, type Search, type Vehicle } from './vehicles.ts'

type Fields = Readonly<Record<string, string | undefined>>

export const categoriesOf = ({ vehicles }: Search) =>
  [...new Set(vehicles.map(({ group }) => group.category))].sort((a, b) => a.localeCompare(b))

/** Returns the chosen category; empty for all. */
export function chosenCategory(search: Search, { category = '' }: Fields): string {
  return categoriesOf(search).includes(category) ? category : ''
}

/**
 * Returns the vehicles of the chosen category in the chosen order, sold-out ones and those without a
 * price last. Until all vehicles are loaded, returns them in the order of the catalog.
 */
export function arrange(search: Search, fields: Fields): readonly Vehicle[] {
  if (search.hasMore) return search.vehicles
  const { order } = fields
  const category = chosenCategory(search, fields)
  const sign = order === 'down' ? -1 : 1
  const priceOf = (vehicle: Vehicle) => sign * +(search.guide(vehicle)?.total ?? sign * Infinity)
  return search.vehicles
    .filter(({ group }) => category === '' || group.category === category)
    .sort(
      (a, b) =>
        isSoldOut(a) - isSoldOut(b) ||
        (order !== 'name' && priceOf(a) - priceOf(b)) ||
        a.group.name.localeCompare(b.group.name),
    )
}
