import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { FieldProblem } from './fleetFileError.ts'
import { type MatchRule, matchRows } from './matchRows.ts'

type Path = FieldProblem['path']

export interface RowWithId<Content> {
  readonly id: string
  readonly content: Content
}

/** A stored row, which may be archived. */
export interface Stored<Content> extends RowWithId<Content> {
  readonly archived: boolean
}

/** A row of the file, with its optional id and its path. */
interface FileRow {
  readonly id?: string | undefined
  readonly path: Path
  readonly content: object
}

/** The changes to one list, and its resulting rows in the order of the file. */
export interface ListPlan<Content, Row = RowWithId<Content>> {
  readonly rows: readonly Row[]
  readonly create: readonly RowWithId<Content>[]
  readonly update: readonly RowWithId<Content>[]
  /** Ids of the rows that the file no longer contains. */
  readonly archive: readonly string[]
  /** Ids that the file sets for new rows. The caller checks that no other tenant has them. */
  readonly givenIds: readonly { readonly id: string; readonly path: Path }[]
  readonly problems: readonly FieldProblem[]
}

/**
 * Plans the changes from the stored rows to the rows of the file. Without `rules` to match them, each
 * row has the id of the stored row that it matches. Restoring an archived row is an update.
 */
export function planList<Row extends FileRow>(
  stored: readonly Stored<Row['content']>[],
  wanted: readonly Row[],
  rules?: readonly MatchRule[],
): ListPlan<Row['content'], Row & { readonly id: string }> {
  const storedById = new Map(stored.map((row) => [row.id, row]))
  const matches =
    rules === undefined
      ? wanted.map(({ id = '' }) => storedById.get(id))
      : matchRows(wanted, stored, rules)
  const rows: (Row & { readonly id: string })[] = []
  const create: typeof rows = []
  const update: typeof rows = []
  const givenIds: { id: string; path: Path }[] = []
  const problems: FieldProblem[] = []
  const leaving = new Set(stored.filter(({ archived }) => !archived).map(({ id }) => id))
  for (const [index, row] of wanted.entries()) {
    const match = matches[index]
    const path = [...row.path, 'id']
    const problem = idProblem(row.id, match?.id, storedById)
    if (problem !== undefined) problems.push({ path, message: problem })
    // A rejected id belongs to another row, and must not be used for this one.
    const ownId = problem === undefined ? row.id : undefined
    const placed = { ...row, id: match?.id ?? ownId ?? randomUUID() }
    rows.push(placed)
    if (match === undefined) create.push(placed)
    else if (match.archived || !sameContent(match.content, row.content)) update.push(placed)
    if (match === undefined && row.id !== undefined) givenIds.push({ id: row.id, path })
    leaving.delete(placed.id)
  }
  return { rows, create, update, archive: [...leaving], givenIds, problems }
}

function idProblem(
  givenId: string | undefined,
  matchId: string | undefined,
  storedById: ReadonlyMap<string, unknown>,
): string | undefined {
  if (givenId === undefined || givenId === matchId) return undefined
  if (matchId !== undefined) return `does not match the existing id of this ref, ${matchId}`
  return storedById.has(givenId) ? 'belongs to another ref of this tenant' : undefined
}

export const contentById = <Content>(rows: readonly RowWithId<Content>[]) =>
  new Map(rows.map(({ id, content }) => [id, content]))

/** Returns whether a stored row has all the values of `wanted`. */
export function sameContent(stored: object, wanted: object): boolean {
  const before = new Map(Object.entries(stored))
  return Object.entries(wanted).every(([name, value]) => isDeepStrictEqual(before.get(name), value))
}
