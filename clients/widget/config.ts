import type { RentalConfig } from './rental-booking.d.ts'

/** A config with the time zone of the station or, by default, of the visitor. */
export type ConfigWithTimeZone = RentalConfig & { readonly timeZone: string }

/** Entered values by the name of their field. */
export type Fields = Readonly<Record<string, string>>

export interface Period {
  readonly pickupDatetime: string
  readonly dropoffDatetime: string
}

/** @throws Error that says which setting the page must change */
export function checkedConfig(config: RentalConfig): ConfigWithTimeZone {
  const { timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone } = config
  const { taxPercent = '0', extras = [], openingHours, specialDays } = config
  const expect = (isRight: boolean, field: string, what: string, value: unknown) => {
    if (!isRight) throw new Error(`config.${field} must be ${what}, not ${JSON.stringify(value)}`)
  }
  // The fleet file writes it so. Without the zone, the times would be the visitor's.
  const { timezone } = config as { readonly timezone?: unknown }
  expect(timezone === undefined, 'timezone', 'spelled timeZone', timezone)
  expect(isTimeZone(timeZone), 'timeZone', 'a time zone such as "Europe/Oslo"', timeZone)
  expect(Number(taxPercent) >= 0, 'taxPercent', 'a percentage such as "25"', taxPercent)
  expect(Array.isArray(extras), 'extras', 'a list', extras)
  extras.forEach(({ price }, at) => {
    const isAmount = /^\d+(\.\d+)?$/.test(price) && typeof price === 'string'
    expect(isAmount, `extras[${at}].price`, 'a text such as "50.00"', price)
  })
  for (const [field, list] of Object.entries({ openingHours, specialDays })) {
    expect(Array.isArray(list ?? []), field, 'a list', list)
    list?.forEach(({ opens, closes }, at) => {
      const areTimes = /^(\d\d:\d\d-\d\d:\d\d)?$/.test(opens || closes ? `${opens}-${closes}` : '')
      expect(areTimes, `${field}[${at}]`, 'hours such as "07:00" to "22:00"', { opens, closes })
    })
  }
  return { ...config, timeZone }
}

function isTimeZone(timeZone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone }))
  } catch {
    return false
  }
}
