import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { projectRoot } from '../../src/config/projectRoot.ts'
import { databaseUrl, runStatements } from '../../test/helpers/maintenance.ts'
import { formatRatio, measure, median, ratioOf } from '../http/measure.ts'
import { type MeasuredServer, startServer } from '../http/processes.ts'
import { bookingRequests, reads, request } from '../http/requests.ts'
import { openTestBed, type TestBed } from '../http/testBed.ts'

const version = '3.7.3'
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5)
const forMs = Number(process.env['BENCH_ROUND_MS'] ?? 3_000)
/** More carts than Vendure can order in one round. */
const cartsPerRound = Math.ceil(forMs / 20)

const shopApi = '/shop-api'
const productList =
  'query { search(input: { take: 20, groupByProduct: true }) { items { productId productName description slug priceWithTax { ... on SinglePrice { value } } } } }'
const fillCart = [
  'addItemToOrder(productVariantId: "1", quantity: 1)',
  'setCustomerForOrder(input: { firstName: "Kari", lastName: "Nordmann", emailAddress: "kari@example.com" })',
  'setOrderShippingAddress(input: { streetLine1: "Storgata 1", countryCode: "NO" })',
  'setOrderShippingMethod(shippingMethodId: ["1"])',
  'transitionOrderToState(state: "ArrangingPayment")',
]
const placeOrder = 'addPaymentToOrder(input: { method: "standard-payment", metadata: {} })'
const mutation = (call: string) => ({ query: `mutation { ${call} { __typename } }` })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/**
 * Compares a catalog read and a placed order with Vendure's, alternately on the same PostgreSQL. An
 * order of Vendure does more (tax, stock, payment). npm installs it into a temporary directory.
 */
export async function comparePeers(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'peers-'))
  await install(directory)
  const bed = await openTestBed(['.'])
  const url = databaseUrl(bed.stores.databaseUrl, 'vendure')
  await runStatements(bed.stores.databaseUrl, 'create database vendure')
  const vendure = await startServer(join(directory, 'vendure.mjs'), { DATABASE_URL: url })
  try {
    await compare(bed, vendure)
  } finally {
    await vendure.stop()
    await bed.close()
    await rm(directory, { recursive: true })
  }
}

async function install(directory: string): Promise<void> {
  await writeFile(join(directory, 'package.json'), '{ "private": true }')
  const packages = [`@vendure/core@${version}`, 'pg']
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', ...packages], {
    cwd: directory,
  })
  await copyFile(join(projectRoot, 'bench/peers/vendure.mjs'), join(directory, 'vendure.mjs'))
}

async function compare({ servers, round }: TestBed, vendure: MeasuredServer): Promise<void> {
  const api = servers.get('.') as MeasuredServer
  const listing = request('POST', shopApi, {}, { query: productList })
  const shape = { connections: 16, forMs, status: 200 }
  const perSecond = { lists: [[], []], orders: [[], []] } as Record<string, [number[], number[]]>
  for (let turn = 0; turn <= rounds; turn += 1) {
    const carts = await fullCarts(vendure)
    const lists = reads(round.callers, () => '/api/v1/asset-groups')
    const bookings = bookingRequests(await round.freshQuotes())
    const measured = {
      lists: [await measure(vendure, () => listing, shape), await measure(api, lists, shape)],
      orders: [
        await measure(vendure, () => carts.pop(), shape),
        await measure(api, bookings, { ...shape, status: 202 }),
      ],
    }
    // The first round warms both up.
    if (turn === 0) continue
    for (const [name, sides] of Object.entries(measured)) {
      for (const [side, { perSecond: value }] of sides.entries())
        perSecond[name]?.[side]?.push(value)
    }
  }
  for (const [name, [theirs, ours]] of Object.entries(perSecond)) {
    const figures = `${median(theirs).toFixed(0)} and ${median(ours).toFixed(0)} a second`
    process.stdout.write(`${name}: ${figures}, ×${formatRatio(ratioOf(ours, theirs))}\n`)
  }
}

/** Returns requests that each place the order of a full cart. */
async function fullCarts({ port }: MeasuredServer): Promise<Buffer[]> {
  const carts: Buffer[] = []
  while (carts.length < cartsPerRound) {
    let token = ''
    for (const call of fillCart) {
      const response = await fetch(`http://127.0.0.1:${port}${shopApi}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token && bearer(token)) },
        body: JSON.stringify(mutation(call)),
      })
      token = response.headers.get('vendure-auth-token') ?? token
      const text = await response.text()
      if (!text.includes('"Order"')) throw new Error(`${call}: ${text}`)
    }
    carts.push(request('POST', shopApi, bearer(token), mutation(placeOrder)))
  }
  return carts
}
