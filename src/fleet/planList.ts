import type { FleetProblem } from './problems.ts'

/** A row of one list as it is stored; archived rows are among them. */
export interface Stored<Content> {
  readonly id: string
  readonly archived: boolean
  readonly content: Content
}

/** A row as the file wants it, with the id it gives, if any, and where it does so. */
interface Wanted<Content> {
  readonly id?: string | undefined
  readonly idPath: string
  readonly content: Content
}

export interface Placed<Content> {
  readonly id: string
  readonly content: Content
}

/** What has to be done to one list, and its rows as they will be, in the order of the file. */
export interface ListPlan<Content> {
  readonly rows: readonly Placed<Content>[]
  readonly create: readonly Placed<Content>[]
  readonly update: readonly Placed<Content>[]
  /** Ids of the rows that left the file. */
  readonly archive: readonly string[]
  /** Ids the file gives to new rows: no other tenant may have them. */
  readonly givenIds: readonly { readonly id: string; readonly path: string }[]
  readonly problems: readonly FleetProblem[]
}

/** `keyOf` says what makes two rows the same one. A row that was archived comes back as an update. */
export function planList<Content extends object>(
  stored: readonly Stored<Content>[],
  wanted: readonly Wanted<Content>[],
  { keyOf, newId }: { keyOf(content: NoInfer<Content>): string; newId(): string },
): ListPlan<Content> {
  // Of equal rows the one in service counts: otherwise every import would put another in its place.
  const liveLast = stored.toSorted((a, b) => Number(b.archived) - Number(a.archived))
  const storedByKey = new Map(liveLast.map((row) => [keyOf(row.content), row]))
  const wantedKeys = new Set<string>()
  const storedIds = new Set(stored.map(({ id }) => id))
  const plan = {
    rows: [] as Placed<Content>[],
    create: [] as Placed<Content>[],
    update: [] as Placed<Content>[],
    givenIds: [] as { id: string; path: string }[],
    problems: [] as FleetProblem[],
  }
  const leaving = new Set(stored.filter(({ archived }) => !archived).map(({ id }) => id))
  for (const { id: givenId, idPath, content } of wanted) {
    const key = keyOf(content)
    if (wantedKeys.has(key)) throw new Error(`Bug: a list wants ${key} twice`)
    wantedKeys.add(key)
    const match = storedByKey.get(key)
    const problem = idProblem(givenId, match?.id, storedIds)
    if (problem !== undefined) plan.problems.push({ path: idPath, message: problem })
    // An id that is refused may be another row's, below which things would be wanted twice.
    const ownId = problem === undefined ? givenId : undefined
    const placed = { id: match?.id ?? ownId ?? newId(), content }
    plan.rows.push(placed)
    if (match === undefined) plan.create.push(placed)
    else if (match.archived || !sameContent(match.content, content)) plan.update.push(placed)
    if (match === undefined && givenId !== undefined) {
      plan.givenIds.push({ id: givenId, path: idPath })
    }
    leaving.delete(placed.id)
  }
  return { ...plan, archive: [...leaving] }
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

function sameContent<Content extends object>(stored: Content, wanted: Content): boolean {
  const before = new Map(Object.entries(stored))
  const plain = (value: unknown) => (value instanceof Date ? value.getTime() : value)
  return Object.entries(wanted).every(([name, value]) => plain(before.get(name)) === plain(value))
}
