import type { Database } from '../db/connection/database.ts'
import { inTransaction, type Transaction } from '../db/connection/transaction.ts'
import { countOccupancy } from '../db/queries/bookings/availability.ts'
import { lockGroup } from '../db/queries/bookings/reviewQueries.ts'
import {
  type AssetName,
  archiveBlock,
  findAssets,
  findBlocks,
  insertBlock,
} from '../db/queries/fleet/assets.ts'
import { localMinute } from '../domain/pricing/period.ts'
import { yearProblem } from '../input/dateTime.ts'
import { listBookings } from './bookings/listBookings.ts'
import { expectOne, OperatorError, UsageError } from './operatorError.ts'
import { awaitImports } from './tenantTerms.ts'

/** A time that is parsed once the time zone of the vehicle's tenant is known. */
type LocalMoment = (timeZone: string) => Date

type Asset = Awaited<ReturnType<typeof findAssets>>[number]
type Block = Awaited<ReturnType<typeof findBlocks>>[number]

/**
 * Takes a vehicle out of service for a time. If staff have already blocked this time for the same
 * reason, returns that block with `wasBlocked`. An identical block of a fleet file is replaced.
 * @throws OperatorError for an unknown or ambiguous vehicle, a past end, or a running import
 * @throws UsageError for a time outside the accepted years, or an end before the beginning
 */
export function blockAsset(
  database: Database,
  name: AssetName,
  block: { from?: LocalMoment; to: LocalMoment; reason: string | undefined; blockedBy: string },
  now: Date,
) {
  return inTransaction(database, async (transaction) => {
    const { reason = null } = block
    const asset = await assetAfterImports(transaction, name)
    const startsAt = block.from?.(asset.timeZone) ?? now
    const endsAt = block.to(asset.timeZone)
    // Imports reject other years, so `fleet export` would write a file that cannot be imported.
    const problem = yearProblem(startsAt) ?? yearProblem(endsAt)
    if (problem !== undefined) throw new UsageError(`--from and --to ${problem}.`)
    if (endsAt <= now) throw new OperatorError('That time is over: --to must be in the future.')
    if (endsAt <= startsAt) throw new UsageError('--to must be later than --from.')
    const { tenantId, id: assetId } = asset
    const values = { tenantId, assetId, startsAt, endsAt, reason, blockedBy: block.blockedBy }
    const covering = (await findBlocks(transaction, asset, now)).filter(
      (one) => one.startsAt <= startsAt && one.endsAt >= endsAt && one.reason === reason,
    )
    const ofStaff = covering.find((one) => one.blockedBy !== null)
    const same = covering.find((one) => one.startsAt >= startsAt && one.endsAt <= endsAt)
    // Without the lock, a concurrent confirmation could still count this vehicle as in service.
    await lockGroup(transaction, asset)
    // An exported fleet file must not contain the same block twice.
    if (!ofStaff && same) await archiveBlock(transaction, tenantId, same.id)
    const stored = ofStaff ?? { id: await insertBlock(transaction, values), ...values }
    return {
      wasBlocked: ofStaff !== undefined,
      ...serializeBlock(asset, stored),
      ...(await shortageDuring(transaction, asset, stored, now)),
    }
  })
}

/**
 * Counts the group's vehicles in service during a block and the peak of its confirmed bookings.
 * `short` has the confirmed bookings without a vehicle.
 */
async function shortageDuring(
  transaction: Transaction,
  { tenantId, slug, assetGroupId }: Asset,
  { startsAt, endsAt }: Pick<Block, 'startsAt' | 'endsAt'>,
  now: Date,
) {
  const period = { groupId: assetGroupId, from: startsAt, to: endsAt }
  const [counted] = await countOccupancy(transaction, tenantId, [period])
  if (counted === undefined) throw new Error('Bug: a vehicle has no group')
  const { inService, confirmed } = counted
  const group = { groupId: assetGroupId, after: startsAt }
  const filter = { status: 'confirmed', to: endsAt, group } as const
  const { bookings } = await listBookings(transaction, slug, filter, now)
  return { inService, confirmed, short: bookings.filter(({ short }) => short) }
}

/**
 * Removes the only current or future block of a vehicle. If `from` is given, removes the block that
 * begins in that local minute, or if several begin in that minute, the one that ends first.
 * @throws OperatorError for an unknown or ambiguous vehicle, no block, several, or a running import
 */
export function unblockAsset(
  database: Database,
  name: AssetName,
  from: LocalMoment | undefined,
  now: Date,
) {
  return inTransaction(database, async (transaction) => {
    const asset = await assetAfterImports(transaction, name)
    const local = (at: Date) => localMinute(at, asset.timeZone)
    const begin = from && local(from(asset.timeZone))
    const blocks = await findBlocks(transaction, asset, now)
    const [only, ...more] = begin
      ? blocks.filter(({ startsAt }) => local(startsAt) === begin).slice(0, 1)
      : blocks
    if (only === undefined || more.length > 0) throw blockChoiceError(asset, blocks)
    await archiveBlock(transaction, asset.tenantId, only.id)
    return serializeBlock(asset, only)
  })
}

/** Returns the vehicle, after waiting for a running import of its tenant. */
async function assetAfterImports(transaction: Transaction, name: AssetName): Promise<Asset> {
  const find = async (named: AssetName) => {
    return expectOne(
      await findAssets(transaction, named),
      new OperatorError(
        `There is no vehicle "${name.ref}" in service. List them with \`rental fleet show\`.`,
      ),
      `Several tenants have a vehicle "${name.ref}". Choose one:`,
      ({ slug }) => `--tenant ${slug}`,
    )
  }
  const { slug } = await find(name)
  await awaitImports(transaction, slug)
  // The import may have archived the vehicle.
  return find({ ...name, slug })
}

function blockChoiceError(asset: Asset, blocks: readonly Block[]): OperatorError {
  const local = (at: Date) => localMinute(at, asset.timeZone)
  const lines = blocks.map(({ startsAt, endsAt, reason }) =>
    `\n  ${local(startsAt)} to ${local(endsAt)}  ${reason ?? ''}`.trimEnd(),
  )
  if (blocks.length === 0)
    return new OperatorError(`"${asset.ref}" has no current or future block.`)
  return new OperatorError(
    `"${asset.ref}" is blocked at these times. Choose one with --from:${lines.join('')}`,
  )
}

function serializeBlock(asset: Asset, { id, startsAt, endsAt, reason, blockedBy }: Block) {
  const { tenantId, slug: tenant, timeZone: timezone, groupRef: assetGroup, ref } = asset
  const where = { tenantId, tenant, timezone, assetGroup, asset: ref }
  return { id, ...where, from: startsAt, to: endsAt, reason, blockedBy }
}
