import type { Database } from '../db/connection/database.ts'
import { inTransaction, type Transaction } from '../db/connection/transaction.ts'
import { findForeignIds, loadFleet, writeFleet } from '../db/queries/fleet/fleetRows.ts'
import { groupBy } from '../domain/groupBy.ts'
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
import type { RowWithId } from '../fleet/planList.ts'
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
  /**
   * Allows archiving more than half of a list, or all rates of a group. Default true. The CLI passes
   * false, asks the operator, and then passes true.
   */
  readonly allowMassArchive?: boolean
  readonly dryRun?: boolean
}

/**
 * Makes one tenant's stored fleet match a fleet file, in one transaction; missing rows are archived.
 * A result with `changes` means that nothing was written: a dry run, or an import to be confirmed.
 * @throws FleetFileError when an id in the file is taken, and nothing is changed
 * @throws OperatorError when another import of the tenant runs for too long
 */
export function importFleet(
  database: Database,
  source: FleetFile | FleetSource,
  { allowMassArchive = true, dryRun = false }: ImportOptions = {},
) {
  const slug = 'tenant' in source ? source.tenant.slug : source.slug
  return inTransaction(database, async (transaction) => {
    await awaitImports(transaction, slug)
    const stored = await loadFleet(transaction, slug)
    const given = 'tenant' in source ? locatedFile(source) : source.read(stored)
    const plan = planChanges(stored, given.file, given)
    await assertUsable(transaction, plan, given.locate)
    const massArchiveWarning = allowMassArchive
      ? undefined
      : describeMassArchive(stored, plan, slug)
    const onlyPlanned = dryRun || massArchiveWarning !== undefined
    if (!onlyPlanned) await writeFleet(transaction, slug, plan)
    const changes = onlyPlanned ? listChanges(stored, plan) : undefined
    return { ...describeImport(slug, plan), changes, massArchiveWarning }
  })
}

const nouns = { groups: 'groups', assets: 'vehicles', rates: 'rates', extras: 'extras' } as const
const groupOfRate = ({ content }: FleetPlan['rates']['rows'][number]) => content.assetGroupId

/** Describes lists of which more than half would be archived, and groups that lose all rates. */
function describeMassArchive(stored: StoredFleet, plan: FleetPlan, slug: string) {
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
  const warnings = []
  if (leaving.length > 0) warnings.push(`${leaving.join(', ')} of "${slug}" are not in the file.`)
  if (unrated.length > 0) warnings.push(`No rates would be left in ${unrated.join(', ')}.`)
  return warnings.join(' ') || undefined
}

const locatedFile = (file: FleetFile): LocatedFleet => {
  return { file, locate: formatPath, hasBlocks: true }
}

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
