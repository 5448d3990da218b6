import { foldText } from '../../domain/foldText.ts'
import { groupBy } from '../../domain/groupBy.ts'
import type { Translations } from '../../domain/languages.ts'
import { normalizeLine } from '../../input/fields.ts'
import { nestTranslations } from '../translatedTexts.ts'
import type { Row } from './readWorkbook.ts'
import type { SheetProblems } from './sheetProblems.ts'

/** A row with its fields, translations in flat form. */
export interface GivenRow {
  readonly row: Row
  readonly fields: Readonly<Record<string, unknown>>
}

interface Named {
  readonly ref: string
  readonly name: string
  readonly translations: Translations
  readonly validFrom?: string | null
  readonly validTo?: string | null
}

/**
 * Returns the rows with the `ref`, the `id` and the missing fields of their stored entries: the one
 * with the same `ref`, else with the same name and `dates`, else with the same name if that is the
 * only one of both. Other rows are new, with a `ref` made from the name.
 */
export function matchStored<Stored extends Named>(
  given: readonly GivenRow[],
  stored: readonly Stored[],
  dates: readonly ('validFrom' | 'validTo')[],
  problems: SheetProblems,
) {
  const free = new Set(stored)
  const used = new Set(stored.map(({ ref }) => foldText(ref)))
  const take = (found: Stored | undefined) => {
    if (found !== undefined) free.delete(found)
    return found
  }
  const rows = given.map(({ row, fields: { group, ...fields } }) => {
    const name = normalizeLine(String(fields['name'] ?? 'Standard'))
    const key = foldText(name)
    const ref = fields['ref'] ?? undefined
    if (ref === undefined) {
      const inGroup = [key, foldText(String(group)), ...dates.map((date) => fields[date])]
      problems.isRepeated(row, 'name', inGroup)
    }
    const isSame = (each: Stored) =>
      ref === undefined
        ? foldText(each.name) === key &&
          dates.every((date) => fields[date] === undefined || each[date] === fields[date])
        : each.ref === ref
    return { name, key, ref, fields, before: take([...free].find(isSame)) }
  })
  const rowsOf = groupBy(rows, ({ key }) => key)
  return rows.map(({ name, key, ref, fields, before: exact }) => {
    const [only, ...others] = [...free].filter((each) => foldText(each.name) === key)
    const isOnly = others.length === 0 && rowsOf(key).length === 1 && ref === undefined
    const before = exact ?? take(isOnly ? only : undefined)
    return {
      ...before,
      ...nestTranslations(fields, before?.translations),
      name,
      ref: before?.ref ?? ref ?? newRef(key, used),
    }
  })
}

/** Returns a `ref` for a new entry: its name, with a number if the name is already used. */
function newRef(name: string, used: Set<string>): string {
  const base = name.replace(/\s+/g, '-')
  let ref = base
  for (let number = 2; used.has(ref); number += 1) ref = `${base}-${number}`
  used.add(ref)
  return ref
}
