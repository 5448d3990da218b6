import { readFile } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'
import { runInThisContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogReader } from '../../src/db/catalog.ts'
import { runNamed } from '../../src/db/statement.ts'
import type { Catalog } from '../../src/domain/catalog.ts'
import { priceInputs } from '../../src/domain/priceRequest.ts'
import { keptRepresentation } from '../../src/http/door/conditional.ts'
import { type OpenTestDatabase, openTestDatabase } from '../helpers/openTestDatabase.ts'
import { openRental } from '../helpers/rental.ts'

setFlagsFromString('--allow-natives-syntax')
const haveSameMap: (a: unknown, b: unknown) => boolean = runInThisContext(
  '(a, b) => %HaveSameMap(a, b)',
)

/** V8 remembers how objects were made after a function has run some times, and only then makes them so. */
const warmUpRuns = 300

/** What the last two of many runs return. */
async function warmedUp<T>(run: () => T | Promise<T>): Promise<[T, T]> {
  for (let index = 0; index < warmUpRuns; index += 1) await run()
  return [await run(), await run()]
}

/** Whether V8 sees all of them as objects of one kind: then it finds their properties without a look-up. */
const areOfOneShape = (objects: readonly unknown[]) =>
  objects.length > 1 && objects.every((one) => haveSameMap(one, objects[0]))

let test: OpenTestDatabase
let catalog: Catalog
beforeAll(async () => {
  test = await openTestDatabase()
  const file = JSON.parse(await readFile('examples/fleet.json', 'utf8'))
  const { fleet } = await openRental(test.database, file)
  const readCatalog = catalogReader(test.database)
  ;[catalog] = await warmedUp(() => readCatalog(fleet.tenantId))
})
afterAll(async () => {
  setFlagsFromString('--no-allow-natives-syntax')
  await test.drop()
})

// Node 20 gives each object a shape of its own that is made by a spread with new properties behind it:
// making one takes a microsecond, and reading one of many goes wrong in every guess.
describe('objects that requests make or read have one shape', () => {
  it('would be caught having several', async () => {
    expect(areOfOneShape([{ a: 1 }, { b: 1 }])).toBe(false)
    expect(areOfOneShape(await warmedUp(() => ({ a: 1 })))).toBe(true)
  })

  it('the groups, rates and extras of a catalog', () => {
    const { groups, extrasById } = catalog
    expect(areOfOneShape(groups)).toBe(true)
    expect(areOfOneShape(groups.flatMap(({ rates }) => rates))).toBe(true)
    expect(areOfOneShape([...extrasById.values()])).toBe(true)
  })

  it('kept answers', async () => {
    expect(areOfOneShape(await warmedUp(() => keptRepresentation('long'.repeat(500))))).toBe(true)
  })

  it('what a price is made from, and the extras in it', async () => {
    const [group] = catalog.groups
    const extras = [...catalog.extrasById.keys()].map((extraId) => ({ extraId, quantity: 2 }))
    const [pickupAt, dropoffAt] = [new Date('2038-03-01T10:00Z'), new Date('2038-03-04T10:00Z')]
    const request = { assetGroupId: group?.id ?? '', pickupAt, dropoffAt, extras }
    const inputs = await warmedUp(() => priceInputs(catalog, request, new Date()))
    expect(areOfOneShape(inputs)).toBe(true)
    expect(areOfOneShape(inputs.flatMap((each) => each.extras))).toBe(true)
  })

  it('statements with a name', async () => {
    const asked: unknown[] = []
    const pool: typeof test.database.reads.pool = {
      query: (config) => {
        asked.push(config)
        return test.database.pool.query(config)
      },
    }
    await warmedUp(() => runNamed({ pool, preparedStatements: true }, 'one', 'select 1', []))
    expect(areOfOneShape(asked.slice(-2))).toBe(true)
  })
})
