import * as examples from './examples.ts'

const withOffset = 'With an offset; in the years 2000 to 2100, UTC.'

/** By schema and field, the schema itself as `_`. */
export const schemaProse: Readonly<Record<string, Record<string, string | object>>> = {
  AssetGroup: {
    name: 'Shown to customers.',
    category: 'What kind of vehicle it is, such as `car` or `van`.',
  },
  Availability: {
    available: 'Whether at least one is free.',
    totalAssets: 'All vehicles of the class, in service or not.',
  },
  Booking: {
    status:
      '`pending` until the staff confirm or reject the booking. A pending or confirmed booking may be cancelled. No other status will be added in v1.',
    estimatedTotal: 'The total of the quote.',
  },
  BookingRequest: {
    _: 'Text is trimmed first. Null, blank text and leaving an optional field out mean the same. No text may contain control characters (C0, DEL, C1), U+2028, U+2029 or unpaired surrogates; names and locations must not contain marks that override the direction (U+202A–202E, U+2066–2069); a name needs at least one visible character.',
    notes: 'The only field that may have line breaks.',
  },
  Breakdown: {
    _: 'How the total is calculated; its lines add up exactly.',
    days: 'Full days on the tenant’s clock; a 24th hour, once started, counts as a day.',
    hours: 'Charged hours beyond the full days; a started hour counts.',
  },
  ChargedExtra: {
    days: 'Charged days; null: priced per rental.',
    maxPrice: 'Highest price of one unit, however many days; null: no cap.',
  },
  ChargedRate: {
    id: 'The rate of the first day.',
    lines:
      'What is charged: the cheapest combination of months, weeks, days and hours, season by season.',
  },
  Customer: {
    phone: 'At least three digits. No-break spaces and direction marks are removed first.',
  },
  Quote: {
    total: 'The price that can be booked.',
    expiresAt: 'It can be booked until then.',
  },
  QuoteRequest: {
    pickupDatetime: {
      description: `Not in the past, unless the tenant allows it. ${withOffset}`,
      examples: [examples.quoteRequest.pickupDatetime],
    },
    dropoffDatetime: {
      description: `After the pickup, by at most 366 days on the tenant’s clock. ${withOffset}`,
      examples: [examples.quoteRequest.dropoffDatetime],
    },
  },
  Rate: {
    validFrom: 'First day on which it applies; null: no beginning.',
    validTo: 'Last day on which it applies; null: no end.',
  },
  RateLine: { _: '`amount` is `quantity` × `unitPrice`.' },
  Session: { sessionToken: 'A JWT, to be sent as `X-Session-Token`.' },
  Tax: {
    percent: 'Such as `25` or `7.7`.',
    included: 'Whether the subtotal already includes the tax.',
  },
}

const assetGroupId = { description: 'Id of the asset group.', example: examples.demoGroupId }

/** By operation and name, of the path, the query or a header. */
export const parameterProse: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  listRates: { id: assetGroupId },
  getAvailability: {
    id: assetGroupId,
    from: {
      description: `Beginning of the range. ${withOffset}`,
      example: '2035-06-01T10:00:00Z',
    },
    to: {
      description: `End of the range, not part of it: later than \`from\`, by at most 366 days on the tenant’s clock. ${withOffset}`,
      example: '2035-06-04T10:00:00Z',
    },
  },
  getBooking: {
    id: { description: 'The `bookingId` of the 202.', example: examples.booking.bookingId },
  },
  createSession: {
    origin: {
      description: 'The address of the website. Browsers set it automatically.',
      example: 'https://www.example.com',
    },
  },
  createBooking: {
    'idempotency-key': {
      description:
        'Unique for each attempt to book, a UUID for example. Remembered for 24 hours. With double quotes around it, it is the same key; only then may it contain spaces and commas.',
      example: examples.exampleQuoteId,
    },
  },
}
