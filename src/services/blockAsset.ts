import type { Database } from '../db/connection/database.ts'
import { inTransaction, type Transaction } from '../db/connection/transaction.ts'
import {
  type AssetName,
  archiveBlock,
  findAssets,
  findBlocks,
  insertBlock,
} from '../db/operatorQueries/assets.ts'
import { lockGroup } from '../db/operatorQueries/review.ts'
import { findGroupStock } from '../db/queries/availability.ts'
import { availableFromMs, occupancyOf } from '../domain/occupancy.ts'
import { localMinute } from '../domain/pricing/period.ts'
import { yearProblem } from '../input/dateTime.ts'
import { listBookings } from './bookings/listBookings.ts'
import { expectOne, OperatorError, UsageError } from './operatorError.ts'
import { awaitImports } from './tenants.ts'

/** A moment that is read on the clock of the vehicle's tenant. */
type LocalMoment = (timeZone: string) => Date

type Asset = Awaited<ReturnType<typeof findAssets>>[number]
type Block = Awaited<ReturnType<typeof findBlocks>>[number]

/**
 * Takes a vehicle out of service for a time, until `unblockAsset` (decision 402): what a block of
 * staff with this reason covers already stays as it is, and the same block of a file becomes theirs.
 * @throws OperatorError for an unknown or ambiguous vehicle, a time that is over, or an import that lasts
 */
export function blockAsset(
  database: Database,
  name: AssetName,
  block: { from?: LocalMoment; to: LocalMoment; reason: string | undefined; blockedBy: string },
  now: Date,
) {
  return inTransaction(database, async (transaction) => {
    const { reason = null } = block
    const asset = await theAsset(transaction, name)
    const startsAt = block.from?.(asset.timeZone) ?? now
    const endsAt = block.to(asset.timeZone)
    // What `fleet export` writes, an import must take.
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
    // Otherwise a confirmation at the same time would count this vehicle, and not be counted here.
    await lockGroup(transaction, asset)
    // A fleet file, which an export is, names a block once.
    if (!ofStaff && same) await archiveBlock(transaction, tenantId, same.id)
    const stored = ofStaff ?? { id: await insertBlock(transaction, values), ...values }
    return { ...present(asset, stored), ...(await leftBeside(transaction, asset, stored, now)) }
  })
}

/**
 * How many vehicles its group has left throughout a block, the most that confirmed bookings take
 * then, and the ids of those which touch it and are short, as in a list (decision 314).
 */
async function leftBeside(
  transaction: Transaction,
  { tenantId, slug, assetGroupId }: Asset,
  { startsAt, endsAt }: Pick<Block, 'startsAt' | 'endsAt'>,
  now: Date,
) {
  const window = { tenantId, groupId: assetGroupId, from: startsAt, to: endsAt }
  const stock = await findGroupStock(transaction, window)
  if (stock === undefined) throw new Error('Bug: a vehicle has no group')
  const { inService, confirmed } = occupancyOf(stock)(startsAt.getTime(), endsAt.getTime())
  const { bookings } = await listBookings(transaction, slug, { status: 'open', to: endsAt }, now)
  const short = bookings.filter(
    (one) =>
      one.short &&
      one.status === 'confirmed' &&
      one.assetGroup.id === assetGroupId &&
      availableFromMs(one.dropoffDatetime.getTime(), stock.turnaroundMinutes) > startsAt.getTime(),
  )
  return { inService, confirmed, short: short.map(({ id }) => id) }
}

/**
 * Puts a vehicle into service again: takes away its block, or of several the one that begins in that
 * minute, the first to end.
 * @throws OperatorError for an unknown or ambiguous vehicle, no block, several, or an import that lasts
 */
export function unblockAsset(
  database: Database,
  name: AssetName,
  from: LocalMoment | undefined,
  now: Date,
) {
  return inTransaction(database, async (transaction) => {
    const asset = await theAsset(transaction, name)
    const local = (at: Date) => localMinute(at, asset.timeZone)
    const begin = from && local(from(asset.timeZone))
    const blocks = await findBlocks(transaction, asset, now)
    const [only, ...more] = begin
      ? blocks.filter(({ startsAt }) => local(startsAt) === begin).slice(0, 1)
      : blocks
    if (only === undefined || more.length > 0) throw notOne(asset, blocks)
    await archiveBlock(transaction, asset.tenantId, only.id)
    return present(asset, only)
  })
}

/** The vehicle as it is when no import of its tenant is under way. */
async function theAsset(transaction: Transaction, name: AssetName): Promise<Asset> {
  const find = async (named: AssetName) => {
    return expectOne(
      await findAssets(transaction, named),
      new OperatorError(
        `There is no vehicle "${name.ref}" in service. List them with \`rental fleet show\`.`,
      ),
      `There are several vehicles "${name.ref}". Say which one you mean:`,
      ({ slug, groupRef }) => `--tenant ${slug} --group ${groupRef}`,
    )
  }
  const { slug } = await find(name)
  await awaitImports(transaction, slug)
  // The import that was waited for may have archived it.
  return find({ ...name, slug })
}

function notOne(asset: Asset, blocks: readonly Block[]): OperatorError {
  const local = (at: Date) => localMinute(at, asset.timeZone)
  const lines = blocks.map(({ startsAt, endsAt, reason }) =>
    `\n  ${local(startsAt)} to ${local(endsAt)}  ${reason ?? ''}`.trimEnd(),
  )
  if (blocks.length === 0) return new OperatorError(`"${asset.ref}" is not blocked, now or later.`)
  return new OperatorError(
    `"${asset.ref}" is blocked at these times. Say which with --from:${lines.join('')}`,
  )
}

function present(asset: Asset, { id, startsAt, endsAt, reason, blockedBy }: Block) {
  const { tenantId, slug: tenant, timeZone: timezone, groupRef: assetGroup, ref } = asset
  const where = { tenantId, tenant, timezone, assetGroup, asset: ref }
  return { id, ...where, from: startsAt, to: endsAt, reason, blockedBy }
}
