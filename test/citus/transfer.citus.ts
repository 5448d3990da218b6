import { afterAll, beforeAll, expect, it } from 'vitest'
import { commandLineOn } from '../cli/commandLine.ts'
import { fleetOf } from '../helpers/fleet.ts'
import { openTestDatabase, useTestDatabase } from '../helpers/openTestDatabase.ts'
import { openRental } from '../helpers/rental.ts'
import { type ClusterDatabase, createClusterDatabase } from './cluster.ts'

const plain = useTestDatabase()
let cluster: ClusterDatabase
beforeAll(async () => {
  const rental = await openRental(plain.database, fleetOf(3))
  await rental.book('2038-03-01T10:00:00Z', '2038-03-02T10:00:00Z')
  cluster = await createClusterDatabase()
})
afterAll(() => cluster.drop())

const transfer = async (from: string, to: string) => {
  const { exitCode, out, error } = await commandLineOn(from)(['transfer', '--to', to, '--json'])
  expect({ exitCode, error: exitCode === 0 ? '' : error }).toEqual({ exitCode: 0, error: '' })
  return JSON.parse(out).tables
}

it('transfers a plain database into a distributed one and back', async () => {
  for (const command of ['migrate', 'distribute']) {
    expect((await commandLineOn(cluster.owner)([command])).exitCode).toBe(0)
  }
  const there = await transfer(plain.url, cluster.owner)
  expect(there).toContainEqual({ name: 'bookings', rows: 1 })
  const back = await openTestDatabase()
  expect(await transfer(cluster.owner, back.url)).toEqual(there)
  await back.drop()
})
