import { cellRef, type DataValidation, rangeRef, type WriteSheet, writeXlsx } from 'hucre/xlsx'
import { foldText } from '../../domain/foldText.ts'
import { currencyDecimals } from '../../domain/money.ts'
import { weekFromMonday } from '../../domain/openingHours.ts'
import type { CellKind } from '../fields.ts'
import type { FleetFile } from '../fleetFile.ts'
import { flattenTranslations } from '../translatedTexts.ts'
import { type Column, type Columns, columnsIn, fieldOfValue, settings, sheets } from './sheets.ts'

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
const top = { vertical: 'top' } as const
const labelStyle = { font: { name: 'Calibri', size: 11, bold: true }, alignment: top }
const usualWidth = 14
/** In points. Spreadsheet programs do not adjust a row to its lines when they open a file. */
const lineHeight = 15
const rowHeightMax = 400
/** Lists also apply to this many rows, for those that the owner adds. */
const rowsToFill = 1_000

/**
 * Writes a fleet as a workbook (.xlsx) with the six sheets. Importing it changes nothing. Blocks are
 * left out: imports of workbooks never change them. `state` is the number of the fleet's state.
 */
export async function writeWorkbook(fleet: WrittenFleet, state?: number): Promise<Uint8Array> {
  const { tenant, assetGroups, extras } = fleet
  const groups = assetGroups.map((group) => {
    return { currency: group.currency ?? tenant.currency, fields: group }
  })
  const vehicles = groups.flatMap(({ currency, fields: group }) =>
    group.assets.map(({ ref }) => ({ currency, fields: { ref, group: group.ref } })),
  )
  const rates = groups.flatMap(({ currency, fields: group }) =>
    group.rates.map((rate) => ({ currency, fields: { ...rate, group: group.ref } })),
  )
  const priced = extras.map((extra) => {
    return { currency: extra.currency ?? tenant.currency, fields: extra }
  })
  const lines = [...groups, ...rates, ...priced].map(({ fields }) => fields)
  const languages = [tenant, ...lines].flatMap(({ translations }) => Object.keys(translations))
  const translated = (columns: Columns) => columnsIn([...new Set(languages)].sort(), columns)
  const rateColumns = columnsFor(translated(sheets.Rates), rates, 'group', 'validFrom', 'validTo')
  const extraColumns = columnsFor(translated(sheets.Extras), priced)
  return writeXlsx({
    sheets: [
      companySheet(translated(sheets.Company), { ...tenant, state }),
      listSheet('Groups', translated(sheets.Groups), groups),
      listSheet('Vehicles', sheets.Vehicles, vehicles),
      listSheet('Rates', rateColumns, rates),
      listSheet('Hours', sheets.Hours, hoursLines(tenant)),
      listSheet('Extras', extraColumns, priced),
    ],
  })
}

/** Returns a line for each interval of a weekday, Monday first, and for each special day. */
function hoursLines({ openingHours, specialDays, currency }: FleetFile['tenant']): Line[] {
  const week = openingHours === null ? [] : weekFromMonday
  const lines = week.flatMap((day): Line['fields'][] => {
    const from = day.charAt(0).toUpperCase() + day.slice(1)
    const intervals = openingHours?.filter(({ days }) => days.includes(day)) ?? []
    if (intervals.length === 0) return [{ from }]
    return intervals.map(({ opens, closes }) => ({ from, opens, closes }))
  })
  const dates = specialDays.map(({ to, ...day }) => ({ ...day, to: to === day.from ? null : to }))
  return [...lines, ...dates].map((fields) => ({ currency, fields }))
}

/** Returns the columns, with `Ref` only if two lines have the same name in any case, and `parts`. */
function columnsFor(columns: Columns, lines: readonly Line[], ...parts: readonly string[]) {
  const keys = lines.map(({ fields }) =>
    foldText(JSON.stringify(['name', ...parts].map((part) => fields[part]))),
  )
  const isUnique = new Set(keys).size === lines.length
  return Object.fromEntries(
    Object.entries(columns).filter(([, { optional }]) => !(optional && isUnique)),
  )
}

function companySheet(
  columns: Columns,
  tenant: FleetFile['tenant'] & { readonly state: number | undefined },
): WriteSheet {
  const values = flattenTranslations(tenant)
  const [, ...valueColumns] = Object.keys(columns)
  const written = Object.entries(settings).filter(([field]) => values[field] !== undefined)
  const rows = written.map(([field, column]): WrittenCell[] => [
    {
      value: column.title,
      style: labelStyle,
      comment: { text: noteOf(column).replace('Empty:', 'none:') },
    },
    ...valueColumns.map((name) => {
      const value = values[fieldOfValue(name, field)]
      const isNone = value === null || (Array.isArray(value) && value.length === 0)
      return isNone ? { value: 'none' } : cellOf(column, value, tenant.currency)
    }),
  ])
  const lists = Object.values(settings).flatMap(({ kind }, index) =>
    listFor(kind, cellRef(index + 1, 1)),
  )
  return sheetOf('Company', columns, rows, lists)
}

function listSheet(name: string, columns: Columns, lines: readonly Line[]): WriteSheet {
  const entries = Object.entries(columns)
  const rows = lines.map(({ fields, currency }) => {
    const values = flattenTranslations(fields)
    return entries.map(([field, column]) => cellOf(column, values[field], currency))
  })
  const lists = entries.flatMap(([field, { kind }], column): DataValidation[] => {
    const range = rangeRef(1, column, Math.max(rowsToFill, lines.length), column)
    if (field !== 'group') return listFor(kind, range)
    return [{ type: 'list', formula1: `Groups!$A$2:$A$${rowsToFill}`, range }]
  })
  return sheetOf(name, columns, rows, lists)
}

function sheetOf(
  name: string,
  columns: Columns,
  rows: readonly (readonly WrittenCell[])[],
  dataValidations: DataValidation[],
): WriteSheet {
  const written = [Object.values(columns).map(headerCell), ...rows]
  const cells = written.flatMap((row, at) =>
    row.map((cell, column): [string, WrittenCell] => [`${at},${column}`, cell]),
  )
  const rowDefs = written.flatMap((row, at) => {
    const lines = Math.max(...row.map(({ value }) => String(value).split('\n').length))
    return lines > 1 ? [[at, { height: Math.min(lines * lineHeight, rowHeightMax) }] as const] : []
  })
  return {
    name,
    rowDefs: new Map(rowDefs),
    columns: Object.values(columns).map(({ width = usualWidth }) => ({ width })),
    rows: written.map((row) => row.map(({ value = null }) => value)),
    cells: new Map(cells.filter(([, { style, richText }]) => (style ?? richText) !== undefined)),
    freezePane: { rows: 1 },
    // The sheet is printed across one page.
    pageSetup: { orientation: 'landscape', fitToPage: true, fitToWidth: 1, fitToHeight: 0 },
    dataValidations,
  }
}

/** Returns the list from which the value of a choice is picked. */
function listFor(kind: CellKind = 'text', range: string): DataValidation[] {
  if (typeof kind !== 'object') return []
  return [{ type: 'list', values: Object.keys(kind.choices), range }]
}

const noteOf = ({ field }: Column) => (field.description ?? '').replace('Null:', 'Empty:')

function headerCell(column: Column): WrittenCell {
  const { title, kind = 'text' } = column
  const isNumber = kind === 'amount' || kind === 'date' || kind === 'time' || kind === 'wholeNumber'
  const horizontal = isNumber ? 'right' : 'left'
  const style = { ...headerStyle, alignment: { vertical: 'center', horizontal } as const }
  return { value: title, style, comment: { text: noteOf(column) } }
}

/** Returns the value and the number format of a cell. */
function cellOf({ kind = 'text' }: Column, value: unknown, currency: string): WrittenCell {
  if (value === null || value === undefined) return { value: null }
  if (typeof kind === 'object') {
    const [word = null] = Object.entries(kind.choices).find(([, of]) => of === value) ?? []
    return { value: word }
  }
  if (Array.isArray(value)) return textCell(value.join('\n'))
  const text = String(value)
  switch (kind) {
    case 'amount':
      return numberCell(Number(text), currencyDecimals(currency), '')
    case 'percent':
      return numberCell(Number(text) / 100, text.split('.')[1]?.length ?? 0, '%')
    case 'date':
      return dateCell(text)
    case 'wholeNumber':
      return { value: Number(text) }
    case 'time':
      return timeCell(text)
    case 'day':
      return /\d/.test(text) ? dateCell(text) : { value: text }
    case 'text':
    case 'lines':
      return textCell(text)
  }
}

/** Returns a text that readers neither decode, such as `_x0041_`, nor take for an error, such as `#N/A`. */
function textCell(text: string): WrittenCell {
  const value = text.replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_')
  const style = value.includes('\n') && { style: { alignment: { ...top, wrapText: true } } }
  return { value, ...(value.startsWith('#') && { richText: [{ text: value }] }), ...style }
}

const dateCell = (date: string): WrittenCell => ({
  value: new Date(`${date}T00:00:00Z`),
  style: { numFmt: 'yyyy-mm-dd' },
})

/** Returns a time as a fraction of a day. Only this format shows 24:00 as it is. */
function timeCell(time: string): WrittenCell {
  const [hours = '', minutes = ''] = time.split(':')
  return { value: (Number(hours) * 60 + Number(minutes)) / (24 * 60), style: { numFmt: '[h]:mm' } }
}

function numberCell(value: number, decimals: number, unit: string): WrittenCell {
  const numFmt = `0${decimals > 0 ? `.${'0'.repeat(decimals)}` : ''}${unit}`
  return { value, style: { numFmt } }
}
