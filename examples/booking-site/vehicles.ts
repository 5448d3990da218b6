import type {
  AssetGroup,
  Availability,
  Rate,
  RentalClient,
} from '../../clients/typescript/index.ts'
import type { Period } from './datesStep.ts'
import { dayRates } from './dayRates.ts'
import { make } from './dom.ts'
import { money } from './format.ts'

/** A vehicle class with what a visitor wants to know before choosing it. */
export interface Vehicle {
  readonly group: AssetGroup
  readonly availability: Availability
  /** Those of the days asked for; none if one of them has none. */
  readonly rates: readonly Rate[]
}

/** All classes at once; those that can be had come first. */
export async function findVehicles(
  rental: RentalClient,
  period: Period,
  timeZone: string,
): Promise<Vehicle[]> {
  const range = { from: period.pickupDatetime, to: period.dropoffDatetime }
  const groups = await rental.listAssetGroups()
  const vehicles = await Promise.all(
    groups.map(async (group) => {
      const [availability, rates] = await Promise.all([
        rental.getAvailability(group.id, range),
        rental.listRates(group.id),
      ])
      return { group, availability, rates: dayRates(rates, period, timeZone) }
    }),
  )
  const soldOut = ({ availability }: Vehicle) => Number(!availability.available)
  return vehicles.sort((a, b) => soldOut(a) - soldOut(b))
}

/** A card with a radio button; sold-out classes can be read but not chosen. */
export function vehicleCard({ group, availability, rates }: Vehicle): HTMLElement {
  const { id, name, description } = group
  const input = make('input', {
    ...{ type: 'radio', name: 'assetGroupId', value: id },
    ...{ disabled: !availability.available, required: true },
  })
  return make(
    'label',
    { className: 'vehicle' },
    input,
    make('span', { className: 'name' }, name),
    description === null ? undefined : make('span', {}, description),
    ...guide(rates),
    free(availability),
  )
}

function guide(rates: readonly Rate[]): HTMLElement[] {
  const [cheapest, ...dearer] = rates.toSorted((a, b) => Number(a.dailyRate) - Number(b.dailyRate))
  if (cheapest === undefined) return [make('span', { className: 'price' }, 'Price on request')]
  const { dailyRate, weeklyRate, currency } = cheapest
  const dearest = dearer.at(-1)
  const upTo = dearest === undefined ? '' : ` to ${money(dearest.dailyRate, currency)}`
  const day = make('span', { className: 'price' }, `${money(dailyRate, currency)}${upTo} a day`)
  if (weeklyRate === null || dearest !== undefined) return [day]
  return [day, make('span', { className: 'hint' }, `${money(weeklyRate, currency)} a week`)]
}

const fewMax = 3

function free({ available, availableCount }: Availability): HTMLElement {
  if (!available) return make('span', { className: 'sold-out' }, 'Sold out on these dates')
  const text = availableCount <= fewMax ? `Only ${availableCount} left` : `${availableCount} free`
  return make('span', { className: 'free' }, text)
}
