import { describe, expect, it } from 'vitest'
import { inTransaction } from '../../src/db/connection/transaction.ts'
import { lockFleetForImport } from '../../src/db/queries/fleet/fleetRows.ts'
import { parseFleetFile } from '../../src/fleet/parseFleetFile.ts'
import { blockAsset } from '../../src/services/blockAsset.ts'
import { importFleet, storedFleet } from '../../src/services/importFleet.ts'
import { OperatorError } from '../../src/services/operatorError.ts'
import { changeTenant } from '../../src/services/tenantTerms.ts'
import { smallFleet } from '../helpers/fleet.ts'
import { lockWaiters, lockWaits } from '../helpers/lockWaits.ts'
import { waitFor } from '../helpers/waitFor.ts'
import { useImports } from './useImports.ts'

const patienceMs = 30_000
const test = useImports()
const { load, rows } = test

describe('importFleet', () => {
  it('creates the tenant and its fleet and returns the id of each ref', async () => {
    const result = await load(smallFleet())
    expect(result).toMatchObject({ slug: 'fjord-cars', created: 10, updated: 0, archived: 0 })
    expect(result.assetGroups.map(({ ref }) => ref)).toEqual(['economy', 'van'])
    const [economy] = result.assetGroups
    expect(economy?.assets.map(({ ref }) => ref)).toEqual(['EL 12345', 'EL 12346'])
    expect(economy?.rates.map(({ ref }) => ref)).toEqual(['standard', 'summer'])
    expect(result.extras.map(({ ref }) => ref)).toEqual(['child-seat'])
    expect(
      await rows('select id, asset_group_id, ref, daily_minor from rates order by ref'),
    ).toEqual([
      { ...economy?.rates[0], asset_group_id: economy?.id, daily_minor: '49900' },
      { ...economy?.rates[1], asset_group_id: economy?.id, daily_minor: '69900' },
    ])
  })

  it('stores amounts in the minor unit of their own currency', async () => {
    const { tenant, extras } = smallFleet()
    const rates = [{ ref: 'r', name: 'R', dailyRate: '1.234' }]
    const group = { ref: 'g', name: 'G', category: 'car', currency: 'BHD', rates }
    const yen = extras.map((extra) => ({ ...extra, currency: 'JPY', maxPrice: '300' }))
    await load({ tenant, assetGroups: [group], extras: yen })
    expect(await rows('select daily_minor from rates')).toEqual([{ daily_minor: '1234' }])
    expect(await rows('select price_minor, max_price_minor, currency from extras')).toEqual([
      { price_minor: '50', max_price_minor: '300', currency: 'JPY' },
    ])
  })

  it('does not change the account status of the tenant', async () => {
    await load(smallFleet())
    await rows(`update tenants set status = 'suspended', online_booking = false`)
    const { tenant, ...rest } = smallFleet()
    expect(await load({ tenant: { ...tenant, name: 'Fjord Rental' }, ...rest })).toMatchObject({
      created: 0,
      updated: 1,
      archived: 0,
    })
    expect(await rows('select name, status, online_booking from tenants')).toEqual([
      { name: 'Fjord Rental', status: 'suspended', online_booking: false },
    ])
  })

  it('does not change other tenants', async () => {
    const first = await load(smallFleet('one'))
    const second = await load(smallFleet('two'))
    expect(second.created).toBe(10)
    expect(await load({ tenant: smallFleet('two').tenant })).toMatchObject({ archived: 9 })
    expect(await load(smallFleet('one'))).toMatchObject({
      ...first,
      tenantCreated: false,
      created: 0,
      updated: 0,
      archived: 0,
    })
  })
})

describe('a second import', () => {
  it('archives items missing from the file and restores them under the same id', async () => {
    const first = await load(smallFleet())
    const { tenant, assetGroups, extras } = smallFleet()
    const without = { tenant, assetGroups: assetGroups.slice(1), extras: [] }
    // One group, two vehicles, one block, two rates, one extra.
    expect(await load(without)).toMatchObject({ created: 0, updated: 0, archived: 7 })
    expect(await load(without)).toMatchObject({ created: 0, updated: 0, archived: 0 })
    const counts = `select (select count(*)::int from assets where archived_at is null) as assets,
      (select count(*)::int from rates where archived_at is null) as rates`
    expect(await rows(counts)).toEqual([{ assets: 1, rates: 0 }])

    const back = await load({ tenant, assetGroups, extras })
    expect(back).toMatchObject({
      ...first,
      tenantCreated: false,
      created: 0,
      updated: 7,
      archived: 0,
    })
    expect(await rows(counts)).toEqual([{ assets: 3, rates: 2 }])
  })

  it('waits for a concurrent import of the same tenant', async () => {
    const results = await Promise.all([load(smallFleet()), load(smallFleet()), load(smallFleet())])
    expect(results.map(({ created }) => created).sort()).toEqual([0, 0, 10])
    expect(new Set(results.map(({ tenantId }) => tenantId)).size).toBe(1)
  })
})

const parsed = (file: unknown) => parseFleetFile(JSON.stringify(file))

const block = (slug?: string) =>
  blockAsset(
    test.database,
    { ref: 'EL 12346', slug },
    { to: () => new Date('2038-01-02Z'), reason: undefined, blockedBy: 'kari' },
    new Date('2038-01-01Z'),
  )

describe('operations during an import', () => {
  it.each([
    ['another import', () => load(smallFleet())],
    [
      'an import that prompts before archiving',
      () => importFleet(test.database, parsed(smallFleet()), { confirmed: false }),
    ],
    ['a block', () => block()],
    ['a block with a tenant slug', () => block('fjord-cars')],
    ['an export', () => storedFleet(test.database, 'fjord-cars')],
    [
      'a change of the tenant',
      () => changeTenant(test.database, 'fjord-cars', { status: 'active' }),
    ],
  ])(
    '%s waits for the import and fails with a message when the wait times out',
    async (_, work) => {
      await load(smallFleet())
      await inTransaction(test.database, async (other) => {
        await lockFleetForImport(other, 'fjord-cars')
        const rejected = expect(work()).rejects.toThrow(
          new OperatorError(
            'An import of "fjord-cars" is still running. Try again when it is done.',
          ),
        )
        // Cancels the waiting statement, like the statement timeout.
        const cancel = `select pg_cancel_backend(pid) ${lockWaiters}`
        await waitFor(async () => (await rows(cancel)).length > 0, patienceMs)
        await rejected
      })
    },
  )

  it('rejects a block of a vehicle that the import archives', async () => {
    await load(smallFleet())
    const { assetGroups, ...file } = smallFleet()
    const [importing, blocking] = await inTransaction(test.database, async (other) => {
      // The import takes its lock and waits before it writes.
      await other.orm.execute('lock table assets in exclusive mode')
      const waits = (count: number) => lockWaits(test.database.pool, count)
      const archiving = load({ ...file, assetGroups: assetGroups.slice(1) })
      await waits(1)
      const rejected = block().catch((error: unknown) => error)
      await waits(2)
      return [archiving, rejected]
    })
    expect(await importing).toMatchObject({ archived: 6 })
    expect(await blocking).toMatchObject({
      name: 'OperatorError',
      message: expect.stringContaining('no vehicle'),
    })
  })
})
