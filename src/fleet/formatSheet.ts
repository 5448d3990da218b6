import Papa from 'papaparse'
import type { ExportedFleet, ExportedGroup } from './columns.ts'
import { sheetColumns } from './sheetTable.ts'

/**
 * Formats a fleet as CSV; importing it changes nothing. It begins with a byte order mark, so that
 * Excel detects UTF-8.
 */
export function formatSheet({ assetGroups }: ExportedFleet): string {
  const rows = assetGroups.flatMap(rowsOf)
  return `\uFEFF${Papa.unparse(rows, { columns: [...sheetColumns] })}\r\n`
}

/** Returns rows with a vehicle and a rate each. Only the first contains the fields of the group. */
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
