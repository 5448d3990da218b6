import type { Database } from '../../src/db/connection/database.ts'
import { parseFleetFile } from '../../src/fleet/parseFleetFile.ts'
import { importFleet } from '../../src/services/importFleet.ts'

/** Imports a fleet file, like `rental fleet import`. */
export const importFile = (database: Database, file: unknown) =>
  importFleet(database, parseFleetFile(JSON.stringify(file)))

interface FileAsset {
  ref: string
  blocks?: { from: string; to: string; reason: string }[]
}

/** Returns a small version of the fleet file in docs/fleet.md, which tests modify. */
export function smallFleet(slug = 'fjord-cars') {
  const economyAssets: FileAsset[] = [
    {
      ref: 'EL 12345',
      blocks: [{ from: '2038-01-10T08:00:00Z', to: '2038-01-12T08:00:00Z', reason: 'service' }],
    },
    { ref: 'EL 12346' },
  ]
  const vanAssets: FileAsset[] = [{ ref: 'EL 12347' }]
  return {
    tenant: {
      slug,
      name: 'Fjord Cars',
      timezone: 'Europe/Oslo',
      currency: 'NOK',
      taxPercent: '25',
    },
    assetGroups: [
      {
        ref: 'economy',
        name: 'Economy',
        category: 'car',
        turnaroundMinutes: 60,
        assets: economyAssets,
        rates: [
          { ref: 'standard', name: 'Standard', dailyRate: '499.00', hourlyRate: '99.00' },
          {
            ref: 'summer',
            name: 'Summer',
            dailyRate: '699',
            weeklyRate: '4000',
            validFrom: '2038-06-01',
            validTo: '2038-08-31',
          },
        ],
      },
      { ref: 'van', name: 'Van', category: 'van', assets: vanAssets, rates: [] },
    ],
    extras: [
      {
        ref: 'child-seat',
        name: 'Child seat',
        pricing: 'per_day',
        price: '50',
        maxPrice: '300.00',
      },
    ],
  }
}

/** Returns a fleet file with one group of `vehicleCount` vehicles. */
export function fleetOf(vehicleCount: number, slug = 'fjord-cars') {
  const fleet = smallFleet(slug)
  const assets = Array.from({ length: vehicleCount }, (_, index) => ({
    ref: `EL ${10_000 + index}`,
  }))
  return {
    ...fleet,
    assetGroups: fleet.assetGroups.slice(0, 1).map((group) => ({ ...group, assets })),
  }
}
