import { foldText } from '../domain/foldText.ts'
import { groupBy } from '../domain/groupBy.ts'

type Fields = Readonly<Record<string, unknown>>

/** A row of a file, with the id that the file gives. A field is undefined if the file lacks it. */
interface FileRow {
  readonly id?: string | undefined
  readonly content: object
}

interface StoredRow extends FileRow {
  readonly id: string
  readonly archived: boolean
}

/** Stored rows and rows of a file with the same key are the same. Undefined is no key. */
export interface MatchRule {
  readonly keyOf: (row: Fields) => string | undefined
  /** The rule does not apply to a row with an id of its own. */
  readonly isByName?: boolean
  /** The key must belong to one active stored row and to one row of the file, of those left. */
  readonly isOnly?: boolean
}

/** NUL, which the database does not allow in text, joins the fields. */
const exactly = (...names: readonly string[]): MatchRule => ({
  keyOf(row) {
    const values = names.map((name) => row[name])
    if (values.includes(undefined)) return undefined
    return values.map((value) => (value instanceof Date ? Number(value) : value)).join('\u0000')
  },
})

const inAnyCase = (...names: readonly string[]): MatchRule => {
  const { keyOf } = exactly(...names)
  return {
    keyOf(row) {
      const key = keyOf(row)
      return key === undefined ? undefined : foldText(key)
    },
  }
}

const byRef = [exactly('ref'), inAnyCase('ref')]

/** The rules that match a row with a stored one, by list. The first rule that finds one decides. */
export const matchRules = {
  groups: byRef,
  assets: [exactly('ref'), exactly('foldedRef')],
  blocks: [exactly('assetId', 'startsAt', 'endsAt', 'reason')],
  /** `dates` are those that the file has. */
  rates: (dates: readonly string[] = ['validFrom', 'validTo']) => [
    exactly('assetGroupId', 'ref'),
    inAnyCase('assetGroupId', 'ref'),
    { ...inAnyCase('assetGroupId', 'name', ...dates), isByName: true },
    { ...inAnyCase('assetGroupId', 'name'), isByName: true, isOnly: true },
  ],
  extras: [...byRef, { ...inAnyCase('name'), isByName: true }],
} satisfies Record<string, readonly MatchRule[] | ((...dates: never) => readonly MatchRule[])>

/** Returns the stored row of each row of a file, if it has one. Active rows have priority. */
export function matchRows<Row extends StoredRow>(
  rows: readonly FileRow[],
  stored: readonly Row[],
  rules: readonly MatchRule[],
): (Row | undefined)[] {
  const matches = rows.map((): Row | undefined => undefined)
  let free = stored.toSorted((a, b) => Number(a.archived) - Number(b.archived))
  for (const { keyOf, isByName = false, isOnly = false } of rules) {
    const keyOfRow = ({ content }: FileRow) => keyOf(content as Fields) ?? ''
    const candidatesOf = groupBy(
      free.filter(({ archived }) => !(isOnly && archived)),
      keyOfRow,
    )
    const open = rows.filter((_, index) => matches[index] === undefined)
    const rivalsOf = groupBy(isOnly ? open : [], keyOfRow)
    const taken = new Set<Row>()
    for (const [index, row] of rows.entries()) {
      const key = keyOfRow(row)
      if (matches[index] !== undefined || key === '') continue
      const candidates = candidatesOf(key)
      if (isOnly && (candidates.length > 1 || rivalsOf(key).length > 1)) continue
      const found = candidates.find(
        (each) => !taken.has(each) && !(isByName && (row.id ?? each.id) !== each.id),
      )
      if (found !== undefined) taken.add(found)
      matches[index] = found
    }
    free = free.filter((each) => !taken.has(each))
  }
  return matches
}
