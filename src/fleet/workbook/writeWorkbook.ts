import { type DataValidation, type WriteSheet, writeXlsx } from 'hucre/xlsx'
import { currencyDecimals } from '../../domain/money.ts'
import type { FleetFile } from '../fleetFile.ts'
import { flattenTranslations } from '../translatedTexts.ts'
import {
  type CellKind,
  type Columns,
  cellName,
  columnsIn,
  companyColumns,
  sheets,
} from './sheets.ts'

type Group = FleetFile['assetGroups'][number]
type Asset = Pick<Group['assets'][number], 'ref'>

/** A fleet file, or a stored fleet. Blocks are not written. */
export type WrittenFleet = Pick<FleetFile, 'tenant' | 'extras'> & {
  readonly assetGroups: readonly (Omit<Group, 'assets'> & { readonly assets: readonly Asset[] })[]
}

/** A row to write, with its currency, which decides how amounts are shown. */
interface Line {
  readonly currency: string
  readonly fields: Readonly<Record<string, unknown>>
}

type WrittenCell = NonNullable<WriteSheet['cells']> extends Map<string, infer Cell> ? Cell : never

const headerStyle = {
  font: { name: 'Calibri', size: 11, bold: true, color: { rgb: 'FFFFFF' } },
  fill: { type: 'pattern', pattern: 'solid', fgColor: { rgb: '1F4E5F' } },
} as const
const labelFont = { name: 'Calibri', size: 11, bold: true }
/** A sheet is printed across one page. */
const pageSetup = {
  orientation: 'landscape',
  fitToPage: true,
  fitToWidth: 1,
  fitToHeight: 0,
} as const
const usualWidth = 14
/** Lists and formats also apply to this many rows, for those that the owner adds. */
const rowsToFill = 1_000

/**
 * Writes a fleet as a workbook (.xlsx) with the five sheets. Importing it changes nothing. Blocks are
 * left out: imports of workbooks never change them.
 */
export async function writeWorkbook(fleet: WrittenFleet): Promise<Uint8Array> {
  const { tenant, assetGroups, extras } = fleet
  const { currency } = tenant
  const lines = {
    Groups: assetGroups.map((group) => {
      return { currency: group.currency ?? currency, fields: group }
    }),
    Vehicles: assetGroups.flatMap((group) =>
      group.assets.map(({ ref }) => ({ currency, fields: { ref, group: group.ref } })),
    ),
    Rates: assetGroups.flatMap((group) =>
      group.rates.map((rate) => {
        return { currency: group.currency ?? currency, fields: { ...rate, group: group.ref } }
      }),
    ),
    Extras: extras.map((extra) => ({ currency: extra.currency ?? currency, fields: extra })),
  }
  const entries = [...lines.Groups, ...lines.Rates, ...lines.Extras]
  const languages = entries.flatMap(({ fields }) => Object.keys(fields.translations))
  const columnsOf = (columns: Columns) => columnsIn([...new Set(languages)].sort(), columns)
  const rateKey = ({ fields }: Line) =>
    JSON.stringify([fields['group'], fields['name'], fields['validFrom'], fields['validTo']])
  const extraKey = ({ fields }: Line) => fields['name']
  return writeXlsx({
    sheets: [
      companySheet(tenant),
      sheetOf('Groups', columnsOf(sheets.Groups), lines.Groups),
      sheetOf('Vehicles', sheets.Vehicles, lines.Vehicles),
      sheetOf('Rates', columnsFor(columnsOf(sheets.Rates), lines.Rates, rateKey), lines.Rates),
      sheetOf('Extras', columnsFor(columnsOf(sheets.Extras), lines.Extras, extraKey), lines.Extras),
    ],
  })
}

/** Returns the columns, with `Ref` only if two lines cannot be told apart by `keyOf`. */
function columnsFor(columns: Columns, lines: readonly Line[], keyOf: (line: Line) => unknown) {
  const isUnique = new Set(lines.map(keyOf)).size === lines.length
  return Object.fromEntries(
    Object.entries(columns).filter(([, { optional }]) => !(optional && isUnique)),
  )
}

function companySheet(tenant: FleetFile['tenant']): WriteSheet {
  const settings: Columns = sheets.Company
  const values: Readonly<Record<string, unknown>> = tenant
  const cells = headerCells(companyColumns)
  const rows = Object.entries(settings).map(([field, { title, kind, note }], index) => {
    const { value, style } = cellOf(kind, values[field], tenant.currency)
    const alignment = { horizontal: 'left' } as const
    cells.set(`${index + 1},0`, { style: { font: labelFont }, comment: { text: note } })
    cells.set(`${index + 1},1`, { value, style: { ...style, alignment } })
    return [title, value]
  })
  return {
    name: 'Company',
    columns: widthsOf(companyColumns),
    rows: [titlesOf(companyColumns), ...rows],
    cells,
    freezePane: { rows: 1 },
    pageSetup,
    dataValidations: Object.values(settings).flatMap(({ kind }, index) =>
      listFor(kind, `B${index + 2}`),
    ),
  }
}

function sheetOf(name: string, columns: Columns, lines: readonly Line[]): WriteSheet {
  const cells = headerCells(columns)
  const entries = Object.entries(columns)
  const rows = lines.map(({ fields, currency }, line) => {
    const values = flattenTranslations(fields)
    return entries.map(([field, { kind }], column) => {
      const { value, style } = cellOf(kind, values[field], currency)
      if (style !== undefined) cells.set(`${line + 1},${column}`, { value, style })
      return value
    })
  })
  return {
    name,
    columns: widthsOf(columns),
    rows: [titlesOf(columns), ...rows],
    cells,
    freezePane: { rows: 1 },
    pageSetup,
    dataValidations: entries.flatMap(([field, { kind }], column): DataValidation[] => {
      const range = rangeOf(column, Math.max(rowsToFill, lines.length))
      if (field !== 'group') return listFor(kind, range)
      return [{ type: 'list', formula1: `Groups!$A$2:$A$${rowsToFill}`, range }]
    }),
  }
}

const rangeOf = (column: number, rows: number) => `${cellName(1, column)}:${cellName(rows, column)}`

function listFor(kind: CellKind, range: string): DataValidation[] {
  if (kind === 'yesNo') return [{ type: 'list', values: ['yes', 'no'], range }]
  if (typeof kind !== 'object') return []
  return [{ type: 'list', values: Object.keys(kind.choices), range }]
}

const titlesOf = (columns: Columns) => Object.values(columns).map(({ title }) => title)

const widthsOf = (columns: Columns) =>
  Object.values(columns).map(({ width = usualWidth }) => ({ width }))

function headerCells(columns: Columns) {
  return new Map(
    Object.values(columns).map(({ title, kind, note }, column): [string, WrittenCell] => {
      const isNumber = kind === 'amount' || kind === 'date' || kind === 'wholeNumber'
      const horizontal = isNumber ? 'right' : 'left'
      const style = { ...headerStyle, alignment: { vertical: 'center', horizontal } as const }
      return [`0,${column}`, { value: title, style, comment: { text: note } }]
    }),
  )
}

function cellOf(kind: CellKind, value: unknown, currency: string) {
  if (value === null || value === undefined) return { value: null }
  if (typeof kind === 'object') {
    return {
      value: Object.entries(kind.choices).find(([, stored]) => stored === value)?.[0] ?? null,
    }
  }
  const text = String(value)
  switch (kind) {
    case 'amount':
      return numberCell(Number(text), currencyDecimals(currency), '')
    case 'percent':
      return numberCell(Number(text) / 100, text.split('.')[1]?.length ?? 0, '%')
    case 'date':
      return { value: new Date(`${text}T00:00:00Z`), style: { numFmt: 'yyyy-mm-dd' } }
    case 'wholeNumber':
      return { value: Number(text) }
    case 'yesNo':
      return { value: value === true ? 'yes' : 'no' }
    case 'text':
      return { value: text }
  }
}

function numberCell(value: number, decimals: number, unit: string) {
  const numFmt = `0${decimals > 0 ? `.${'0'.repeat(decimals)}` : ''}${unit}`
  return { value, style: { numFmt } }
}
