import type { Database } from '../db/connection/database.ts'
import { inTransaction, type Transaction } from '../db/connection/transaction.ts'
import { findForeignIds, loadFleet, writeFleet } from '../db/queries/fleet/fleetRows.ts'
import { listTenants, type Tenant } from '../db/queries/tenants/tenantRows.ts'
import { foldText } from '../domain/foldText.ts'
import { groupBy } from '../domain/groupBy.ts'
import { shortId } from '../domain/ids.ts'
import { pluralize } from '../domain/pluralize.ts'
import { localMinute } from '../domain/pricing/period.ts'
import { type FleetPlan, listNames, type StoredFleet } from '../fleet/columns.ts'
import type { FleetFile } from '../fleet/fleetFile.ts'
import {
  type FieldProblem,
  FleetFileError,
  formatPath,
  type Locate,
  locateProblem,
} from '../fleet/fleetFileError.ts'
import { listChanges } from '../fleet/listChanges.ts'
import { type LocatedFleet, planChanges } from '../fleet/planChanges.ts'
import { contentById, type RowWithId } from '../fleet/planList.ts'
import { listBookings } from './bookings/listBookings.ts'
import {
  currencyWarnings,
  fleetWarnings,
  priceJumps,
  renamedGroups,
  similarVehicles,
} from './fleetWarnings.ts'
import { awaitImports, tenantBySlug } from './tenantTerms.ts'

/** A source of a fleet file that depends on the stored fleet, such as a workbook. */
export interface FleetSource {
  readonly slug: string
  /** The names of a workbook's sheets that are not read. */
  readonly otherSheets?: readonly string[]
  /** @throws FleetFileError or UsageError, and nothing is changed */
  read(stored: StoredFleet): LocatedFleet
}

interface ImportOptions {
  /** Allows what an operator must confirm, such as archiving more than half of a list. Default true. */
  readonly confirmed?: boolean
  readonly dryRun?: boolean
  readonly now?: Date
}

/** Thrown to undo an import that was only planned. */
const undone = new Error('Only planned')

/**
 * Makes one tenant's stored fleet match a fleet file, in one transaction; missing rows are archived.
 * A result with `changes` means that nothing was written: a dry run, or an import that has
 * `questions` and is not confirmed.
 * @throws FleetFileError when an id in the file is taken, and nothing is changed
 * @throws OperatorError when another import of the tenant runs for too long
 */
export async function importFleet(
  database: Database,
  source: FleetFile | FleetSource,
  options: ImportOptions = {},
) {
  const { confirmed = true, dryRun = false, now = new Date() } = options
  const plannedOnly: Awaited<ReturnType<typeof runImport>>[] = []
  return inTransaction(database, async (transaction) => {
    const result = await runImport(transaction, source, now)
    const isDone = !dryRun && (confirmed || result.questions.length === 0)
    if (isDone) return { ...result, changes: undefined }
    plannedOnly.push(result)
    throw undone
  }).catch((error: unknown) => {
    const [planned] = plannedOnly
    if (error !== undone || planned === undefined) throw error
    return planned
  })
}

async function runImport(transaction: Transaction, source: FleetFile | FleetSource, now: Date) {
  const slug = 'tenant' in source ? source.tenant.slug : source.slug
  await awaitImports(transaction, slug)
  const stored = await loadFleet(transaction, slug)
  const given = 'tenant' in source ? locatedFile(source) : source.read(stored)
  const plan = planChanges(stored, given.file, given)
  await assertUsable(transaction, plan, given.locate)
  const changes = listChanges(stored, plan)
  const isNew = stored.tenant === undefined
  const others = isNew && given.isWorkbook ? await listTenants(transaction) : []
  const losesVehicles = !isNew && vehiclesLost(stored, plan)
  const shortBefore = losesVehicles ? await shortBookings(transaction, slug, now) : []
  const imported = describeImport(slug, plan)
  const isChanged = imported.created + imported.updated + imported.archived > 0
  const undoes = isChanged ? describeUndo(stored, given.state) : []
  if (isChanged) await writeFleet(transaction, slug, plan, given.state)
  const shortAfter = losesVehicles ? await shortBookings(transaction, slug, now) : []
  const known = new Set(shortBefore.map(({ id }) => id))
  const stranded = shortAfter.filter(({ id }) => !known.has(id))
  const renamed = renamedGroups(stored, plan)
  const questions = [
    ...describeNewTenant(plan, slug, others),
    ...describeMassArchive(stored, plan, slug),
    ...describeStranded(stranded),
    ...(stranded.length > 0 ? renamed : []),
    ...currencyWarnings(stored, plan),
    ...similarVehicles(stored, plan),
    ...undoes,
  ]
  const { tenant, groups, assets, rates } = plan
  const after = { tenant, groups: groups.rows, assets: assets.rows, rates: rates.rows }
  const ignored = 'tenant' in source ? [] : (source.otherSheets ?? [])
  const warnings = [
    ...ignored.map((name) => `The sheet "${name}" is not read.`),
    ...(stranded.length > 0 ? [] : renamed),
    ...priceJumps(stored, plan),
    ...fleetWarnings(after, now),
  ]
  const tenantCreated = isNew
  return {
    ...imported,
    isOutdated: undoes.length > 0,
    tenantCreated,
    stranded: stranded.map(({ id }) => id),
    questions,
    warnings,
    changes: changes as typeof changes | undefined,
  }
}

/** Reports whether a group has fewer vehicles, or needs them for longer. */
function vehiclesLost(stored: StoredFleet, plan: FleetPlan): boolean {
  const [groups, assets] = [contentById(plan.groups.rows), contentById(plan.assets.rows)]
  return (
    stored.groups.some(({ id, archived, content }) => {
      const turnaround = groups.get(id)?.turnaroundMinutes ?? Number.POSITIVE_INFINITY
      return !archived && turnaround > content.turnaroundMinutes
    }) ||
    stored.assets.some(
      ({ id, archived, content }) =>
        !archived && assets.get(id)?.assetGroupId !== content.assetGroupId,
    )
  )
}

/** Returns the open bookings without a vehicle, because others or nothing have all vehicles. */
async function shortBookings(transaction: Transaction, slug: string, now: Date) {
  const { bookings } = await listBookings(transaction, slug, { status: 'open' }, now)
  return bookings.filter(({ short }) => short)
}

const strandedShown = 20

function describeStranded(bookings: Awaited<ReturnType<typeof shortBookings>>): string[] {
  if (bookings.length === 0) return []
  const shown = bookings
    .slice(0, strandedShown)
    .map(({ id, status, assetGroup, pickupDatetime, timezone }) => {
      const pickup = localMinute(pickupDatetime, timezone)
      return `${shortId(id)} (${status}, ${assetGroup.ref}, ${pickup})`
    })
  const more = bookings.length - shown.length
  const list = `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  return [`${pluralize(bookings.length, 'booking')} would have no vehicle any more: ${list}.`]
}

function describeNewTenant(plan: FleetPlan, slug: string, others: readonly Tenant[]): string[] {
  if (others.length === 0) return []
  const name = foldText(plan.tenant.content.name)
  const namesake = others.find((other) => foldText(other.name) === name)
  const same = namesake === undefined ? '' : ` "${namesake.slug}" has the same name.`
  const slugs = others.map((other) => other.slug).join(', ')
  return [`There is no tenant "${slug}" yet; it would be created beside ${slugs}.${same}`]
}

/** Describes that a workbook is older than the last change of another origin. */
function describeUndo({ state }: StoredFleet, carried: number | undefined): string[] {
  if (state === undefined || carried === undefined) return []
  if (carried === state.number || carried === state.from) return []
  return ['The fleet was changed elsewhere after this workbook was exported; it may undo that.']
}

const nouns = { groups: 'groups', assets: 'vehicles', rates: 'rates', extras: 'extras' } as const
const groupOfRate = ({ content }: FleetPlan['rates']['rows'][number]) => content.assetGroupId

/** Describes lists of which more than half would be archived, and groups that lose all rates. */
function describeMassArchive(stored: StoredFleet, plan: FleetPlan, slug: string): string[] {
  const leaving = (['groups', 'assets', 'rates', 'extras'] as const).flatMap((list) => {
    const active = stored[list].filter(({ archived }) => !archived).length
    const { length } = plan[list].archive
    return length * 2 > active ? `${length} of the ${active} ${nouns[list]}` : []
  })
  const ratesOf = groupBy(plan.rates.rows, groupOfRate)
  const rated = new Set(stored.rates.filter(({ archived }) => !archived).map(groupOfRate))
  const unrated = plan.groups.rows
    .filter(({ id }) => rated.has(id) && ratesOf(id).length === 0)
    .map(({ content }) => content.ref)
  return [
    ...(leaving.length > 0 ? [`${leaving.join(', ')} of "${slug}" are not in the file.`] : []),
    ...(unrated.length > 0 ? [`No rates would be left in ${unrated.join(', ')}.`] : []),
  ]
}

const locatedFile = (file: FleetFile): LocatedFleet => ({ file, locate: formatPath })

async function assertUsable(transaction: Transaction, plan: FleetPlan, locate: Locate) {
  const problems: FieldProblem[] = [...plan.assets.problems]
  for (const kind of ['groups', 'rates', 'extras'] as const) {
    const { givenIds, problems: found } = plan[kind]
    const ids = givenIds.map(({ id }) => id)
    const taken = await findForeignIds(transaction, kind, ids, plan.tenant.id)
    const message = 'belongs to another tenant: leave the id out'
    problems.push(...found)
    for (const { id, path } of givenIds) if (taken.has(id)) problems.push({ path, message })
  }
  if (problems.length === 0) return
  throw new FleetFileError(problems.map((each) => locateProblem(each, locate)))
}

function describeImport(slug: string, plan: FleetPlan) {
  const { tenant, groups, assets, rates, extras } = plan
  const assetsOf = groupBy(assets.rows, ({ content }) => content.assetGroupId)
  const ratesOf = groupBy(rates.rows, ({ content }) => content.assetGroupId)
  const rowsTo = (kind: 'create' | 'update' | 'archive') =>
    listNames.reduce((sum, name) => sum + plan[name][kind].length, tenant[kind].length)
  return {
    tenantId: tenant.id,
    slug,
    assetGroups: groups.rows.map((group) => ({
      ...imported(group),
      assets: assetsOf(group.id).map(imported),
      rates: ratesOf(group.id).map(imported),
    })),
    extras: extras.rows.map(imported),
    created: rowsTo('create'),
    updated: rowsTo('update'),
    archived: rowsTo('archive'),
  }
}

function imported({ id, content }: RowWithId<{ readonly ref: string }>) {
  return { ref: content.ref, id }
}

/**
 * Returns a tenant's stored fleet, after waiting for a running import.
 * @throws OperatorError for an unknown tenant, or when an import runs for too long
 */
export async function storedFleet(database: Database, slug: string): Promise<StoredFleet> {
  await tenantBySlug(database, slug)
  return inTransaction(database, async (transaction) => {
    await awaitImports(transaction, slug)
    return loadFleet(transaction, slug)
  })
}
