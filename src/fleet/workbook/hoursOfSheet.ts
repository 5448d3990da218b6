import type { Weekday } from '../../domain/openingHours.ts'
import type { Table } from './readWorkbook.ts'
import { rowOf, type SheetReader } from './sheetReader.ts'

/**
 * Converts the rows of the sheet `Hours` to the fields of the fleet file. Without a row for a weekday
 * it is always open, but on the dates. Notes of weekdays are the owner's own.
 */
export function hoursOfSheet(table: Table | undefined, reader: SheetReader) {
  if (table === undefined) return {}
  const openingHours: object[] = []
  const specialDays: object[] = []
  const openDays = new Set<Weekday>()
  const closed: { readonly row: Table['rows'][number]; readonly days: readonly Weekday[] }[] = []
  for (const { from, to, opens, closes, name, [rowOf]: row } of reader.entries(table)) {
    if (Array.isArray(from)) {
      const days: readonly Weekday[] = from
      if (to) reader.add(row, 'to', 'is only for dates')
      if (opens && closes) {
        openingHours.push({ days, opens, closes, [rowOf]: row })
        for (const day of days) openDays.add(day)
      } else if (row.cell('opens') || row.cell('closes')) {
        const [missing, other] = row.cell('opens') ? ['closes', 'Opens'] : ['opens', 'Closes']
        if (!row.cell(missing)) reader.add(row, missing, `is required with ${other}`)
      } else closed.push({ row, days })
    } else if (from) specialDays.push({ from, to, opens, closes, name, [rowOf]: row })
  }
  for (const { row, days } of closed) {
    const both = days.find((day) => openDays.has(day))
    if (both !== undefined) reader.add(row, 'from', `closes ${both}, which another row opens`)
    else if (openDays.size === 0) reader.add(row, 'from', 'leaves no weekday that is open')
  }
  return { openingHours: openingHours.length > 0 ? openingHours : null, specialDays }
}
