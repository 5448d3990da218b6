import { randomUUID } from 'node:crypto'
import type { FleetProblem } from './fleetFileError.ts'

export interface Placed<Content> {
  readonly id: string
  readonly content: Content
}

/** A row of one list as it is stored; archived rows are among them. */
export interface Stored<Content> extends Placed<Content> {
  readonly archived: boolean
}

/** A row as the file wants it, with the id it gives, if any, and its place in the file. */
interface Wanted {
  readonly id?: string | undefined
  readonly path: string
  readonly content: object
}

/** What has to be done to one list, and its rows as they will be, in the order of the file. */
export interface ListPlan<Content, Row = Placed<Content>> {
  readonly rows: readonly Row[]
  readonly create: readonly Placed<Content>[]
  readonly update: readonly Placed<Content>[]
  /** Ids of the rows that left the file. */
  readonly archive: readonly string[]
  /** Ids the file gives to new rows: no other tenant may have them. */
  readonly givenIds: readonly { readonly id: string; readonly path: string }[]
  readonly problems: readonly FleetProblem[]
}

/** `keyOf` says what makes two rows the same one. A row that was archived comes back as an update. */
export function planList<Row extends Wanted>(
  stored: readonly Stored<Row['content']>[],
  wanted: readonly Row[],
  keyOf: (content: Row['content']) => string,
): ListPlan<Row['content'], Row & { readonly id: string }> {
  // Of equal rows the one in service counts: otherwise every import would put another in its place.
  const liveLast = stored.toSorted((a, b) => Number(b.archived) - Number(a.archived))
  const storedByKey = new Map(liveLast.map((row) => [keyOf(row.content), row]))
  const storedIds = new Set(stored.map(({ id }) => id))
  const rows: (Row & { readonly id: string })[] = []
  const create: typeof rows = []
  const update: typeof rows = []
  const givenIds: { id: string; path: string }[] = []
  const problems: FleetProblem[] = []
  const leaving = new Set(stored.filter(({ archived }) => !archived).map(({ id }) => id))
  for (const row of wanted) {
    const match = storedByKey.get(keyOf(row.content))
    const path = `${row.path}.id`
    const problem = idProblem(row.id, match?.id, storedIds)
    if (problem !== undefined) problems.push({ path, message: problem })
    // A refused id is another row's: what belongs to this row must not be planned as that one's.
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
  storedIds: ReadonlySet<string>,
): string | undefined {
  if (givenId === undefined || givenId === matchId) return undefined
  if (matchId !== undefined) return `does not match the existing id of this ref, ${matchId}`
  return storedIds.has(givenId) ? 'belongs to another ref of this tenant' : undefined
}

function sameContent(stored: object, wanted: object): boolean {
  const before = new Map(Object.entries(stored))
  const plain = (value: unknown) => (value instanceof Date ? value.getTime() : value)
  return Object.entries(wanted).every(([name, value]) => plain(before.get(name)) === plain(value))
}
