const locale = 'en-GB'
const secondsAMinute = 60

export function money(amount: string, currency: string): string {
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(Number(amount))
}

/** An instant as the clocks at the station show it. */
export function moment(instant: string, timeZone: string): string {
  const form = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const
  const clock = { hour: '2-digit', minute: '2-digit', timeZone } as const
  return new Intl.DateTimeFormat(locale, { ...form, ...clock }).format(new Date(instant))
}

/** 29:05 */
export function minutesAndSeconds(seconds: number): string {
  const rest = String(seconds % secondsAMinute).padStart(2, '0')
  return `${Math.floor(seconds / secondsAMinute)}:${rest}`
}

/** "1 day", "3 days". */
export function count(quantity: number, unit: string): string {
  return `${quantity} ${unit}${quantity === 1 ? '' : 's'}`
}
