/** As in `examples/fleet.json`, so that the examples work on a demo. */
export const demoGroupId = '5b8f0a52-7c55-4a0e-9d0b-5f6f0f6f7a11'

/** The same in all examples; databases choose others. */
export const exampleQuoteId = '9a1f6d0e-5a5e-4b0f-8a55-3c9f1e2d4b33'
const rateId = '0f1c8a3e-2f6b-4b57-8f0e-6b8f3f1f2a22'
const rateName = 'Standard'
const extraId = '7d2b4c61-0e7e-4c3a-9b1d-2a4f6c8e0b44'

export const assetGroup = {
  id: demoGroupId,
  name: 'Economy',
  category: 'car',
  description: 'Toyota Yaris or similar',
  imageUrl: null,
}

export const rate = {
  id: rateId,
  name: rateName,
  dailyRate: '499.00',
  hourlyRate: '99.00',
  weeklyRate: '2990.00',
  monthlyRate: null,
  currency: 'NOK',
  validFrom: null,
  validTo: null,
}

export const availability = {
  assetGroupId: demoGroupId,
  from: '2035-06-01T10:00:00.000Z',
  to: '2035-06-04T10:00:00.000Z',
  available: true,
  availableCount: 7,
  totalAssets: 24,
}

export const session = {
  sessionToken: 'eyJhbGciOiJIUzI1NiJ9.eyJvcmlnaW4iOiIifQ.c2lnbmF0dXJl',
  expiresAt: '2035-05-20T13:00:00.000Z',
}

export const quoteRequest = {
  assetGroupId: demoGroupId,
  pickupDatetime: '2035-06-01T10:00:00Z',
  dropoffDatetime: '2035-06-04T12:00:00Z',
  extras: [{ extraId, quantity: 1 }],
}

export const quote = {
  quoteId: exampleQuoteId,
  assetGroupId: demoGroupId,
  pickupDatetime: '2035-06-01T10:00:00.000Z',
  dropoffDatetime: '2035-06-04T12:00:00.000Z',
  total: '2368.75',
  currency: 'NOK',
  breakdown: {
    days: 3,
    hours: 2,
    rate: {
      id: rateId,
      name: rateName,
      lines: [
        { rateId, rateName, unit: 'day', quantity: 3, unitPrice: '499.00', amount: '1497.00' },
        { rateId, rateName, unit: 'hour', quantity: 2, unitPrice: '99.00', amount: '198.00' },
      ],
    },
    extras: [
      {
        extraId,
        name: 'Child seat',
        pricing: 'per_day',
        days: 4,
        maxPrice: '300.00',
        quantity: 1,
        unitPrice: '50.00',
        amount: '200.00',
      },
    ],
    subtotal: '1895.00',
    tax: { percent: '25', amount: '473.75', included: false },
    total: '2368.75',
  },
  expiresAt: '2035-05-20T12:30:00.000Z',
}

export const bookingRequest = {
  quoteId: exampleQuoteId,
  customer: {
    firstName: 'Kari',
    lastName: 'Nordmann',
    email: 'kari@example.com',
    phone: '+47 12 34 56 78',
  },
  pickupLocation: 'Oslo S',
  notes: 'Arriving by train at 09:40.',
}

export const booking = {
  bookingId: 'c3d9a7f4-6b1e-4f0c-9e2a-1b3d5f7a9c55',
  status: 'pending',
  assetGroupId: demoGroupId,
  pickupDatetime: '2035-06-01T10:00:00.000Z',
  dropoffDatetime: '2035-06-04T12:00:00.000Z',
  estimatedTotal: '2368.75',
  currency: 'NOK',
  createdAt: '2035-05-20T12:04:05.678Z',
}
