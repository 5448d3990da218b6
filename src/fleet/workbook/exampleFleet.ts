import { fleetFile } from '../fleetFile.ts'

export const exampleFleet = fleetFile.parse({
  tenant: {
    slug: 'example',
    name: 'Example Rental',
    timezone: 'Europe/Berlin',
    currency: 'EUR',
    taxPercent: '19',
    pricesIncludeTax: true,
  },
  assetGroups: [
    {
      ref: 'small',
      name: 'Small car',
      category: 'car',
      description: 'Four seats, manual gearbox',
      translations: { de: { name: 'Kleinwagen', description: 'Vier Sitze, Schaltgetriebe' } },
      turnaroundMinutes: 60,
      assets: [{ ref: 'B EX 101' }, { ref: 'B EX 102' }, { ref: 'B EX 103' }],
      rates: [
        {
          ref: 'standard',
          name: 'Standard',
          dailyRate: '49.00',
          hourlyRate: '12.00',
          weeklyRate: '294.00',
        },
        {
          ref: 'summer',
          name: 'Summer',
          translations: { de: { name: 'Sommer' } },
          dailyRate: '59.90',
          weeklyRate: '359.00',
          validFrom: '2027-06-01',
          validTo: '2027-08-31',
        },
      ],
    },
    {
      ref: 'van',
      name: 'Van',
      category: 'van',
      description: 'Nine seats',
      translations: { de: { name: 'Bus', description: 'Neun Sitze' } },
      turnaroundMinutes: 90,
      assets: [{ ref: 'B EX 201' }, { ref: 'B EX 202' }],
      rates: [{ ref: 'standard', name: 'Standard', dailyRate: '99.00', weeklyRate: '594.00' }],
    },
  ],
  extras: [
    {
      ref: 'child-seat',
      name: 'Child seat',
      translations: { de: { name: 'Kindersitz' } },
      pricing: 'per_day',
      price: '6.00',
      maxPrice: '36.00',
    },
    {
      ref: 'snow-chains',
      name: 'Snow chains',
      translations: { de: { name: 'Schneeketten' } },
      pricing: 'per_rental',
      price: '25.00',
    },
  ],
})
