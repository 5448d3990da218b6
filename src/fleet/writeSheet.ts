import Papa from 'papaparse'
import type { ExportedFleet, ExportedGroup } from './columns.ts'
import { sheetColumns } from './sheetTable.ts'

/**
 * A fleet as a spreadsheet: one that imports to no change. It begins with a byte order mark, without
 * which Excel takes it for another encoding.
 */
export function writeSheet({ assetGroups }: ExportedFleet): string {
  const rows = assetGroups.flatMap(rowsOf)
  return `\uFEFF${Papa.unparse(rows, { columns: [...sheetColumns] })}\r\n`
}

/** A row for each vehicle and for each rate, side by side; the group's own fields in the first. */
function rowsOf({ assets, rates, ...group }: ExportedGroup): object[] {
  const count = Math.max(1, assets.length, rates.length)
  return Array.from({ length: count }, (_, index) => {
    const rate = rates[index]
    return {
      group: group.ref,
      ...(index === 0 && {
        group_name: group.name,
        category: group.category,
        description: group.description,
        image_url: group.imageUrl,
        turnaround_minutes: group.turnaroundMinutes,
      }),
      vehicle: assets[index]?.ref,
      ...(rate && {
        rate: rate.name,
        daily_rate: rate.dailyRate,
        hourly_rate: rate.hourlyRate,
        weekly_rate: rate.weeklyRate,
        monthly_rate: rate.monthlyRate,
        valid_from: rate.validFrom,
        valid_to: rate.validTo,
      }),
    }
  })
}
