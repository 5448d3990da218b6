import type {
  AssetGroup,
  Availability,
  Rate,
  RentalClient,
} from '../../clients/typescript/index.ts'
import type { Period } from './datesStep.ts'
import { make } from './dom.ts'
import { money } from './format.ts'

/** A vehicle class with what a visitor wants to know before choosing it. */
export interface Vehicle {
  readonly group: AssetGroup
  readonly availability: Availability
  readonly rate: Rate | undefined
}

/** All classes at once; those that can be had come first. */
export async function findVehicles(rental: RentalClient, period: Period): Promise<Vehicle[]> {
  const range = { from: period.pickupDatetime, to: period.dropoffDatetime }
  const groups = await rental.listAssetGroups()
  const vehicles = await Promise.all(
    groups.map(async (group) => {
      const [availability, rates] = await Promise.all([
        rental.getAvailability(group.id, range),
        rental.listRates(group.id),
      ])
      return { group, availability, rate: rateFor(rates, range.from.slice(0, 10)) }
    }),
  )
  const soldOut = ({ availability }: Vehicle) => Number(!availability.available)
  return vehicles.sort((a, b) => soldOut(a) - soldOut(b))
}

/** The most special rate on that day: a guide only, the quote decides. */
function rateFor(rates: readonly Rate[], date: string): Rate | undefined {
  const valid = rates.filter(
    ({ validFrom, validTo }) => (validFrom ?? '') <= date && date <= (validTo ?? '9999'),
  )
  const daysOf = ({ validFrom, validTo }: Rate) =>
    Date.parse(validTo ?? '9999-12-31') - Date.parse(validFrom ?? '0001-01-01')
  return valid.sort((a, b) => daysOf(a) - daysOf(b))[0]
}

/** A card with a radio button; sold-out classes can be read but not chosen. */
export function vehicleCard({ group, availability, rate }: Vehicle): HTMLElement {
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
    ...guide(rate),
    free(availability),
  )
}

function guide(rate: Rate | undefined): HTMLElement[] {
  if (rate === undefined) return [make('span', { className: 'price' }, 'Price on request')]
  const { dailyRate, weeklyRate, currency } = rate
  const day = make('span', { className: 'price' }, `${money(dailyRate, currency)} a day`)
  if (weeklyRate === null) return [day]
  return [day, make('span', { className: 'hint' }, `${money(weeklyRate, currency)} a week`)]
}

const fewMax = 3

function free({ available, availableCount }: Availability): HTMLElement {
  if (!available) return make('span', { className: 'sold-out' }, 'Sold out on these dates')
  const text = availableCount <= fewMax ? `Only ${availableCount} left` : `${availableCount} free`
  return make('span', { className: 'free' }, text)
}
