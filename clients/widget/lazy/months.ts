/** Returns the number of a date's month, counted from the year 0. */
export const monthOf = (date: string) => +date.slice(0, 4) * 12 + +date.slice(5, 7) - 1

/** Returns the first date of a month. */
export const firstOf = (month: number) =>
  `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`
