import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { projectRoot } from '../../src/config/projectRoot.ts'
import { databaseUrl, runStatements } from '../../test/helpers/maintenance.ts'
import { type Measurement, measure, median } from '../http/measure.ts'
import { type MeasuredServer, startServer } from '../http/processes.ts'
import { bookingRequests, reads, request } from '../http/requests.ts'
import { openTestBed, type TestBed } from '../http/testBed.ts'

const version = '3.7.3'
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5)
const forMs = Number(process.env['BENCH_ROUND_MS'] ?? 3_000)
/** As many as it can complete in a round, and more. */
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

/**
 * A catalog read and a placed order of a server that others made, and ours, in turns on the same
 * PostgreSQL. It does more for an order (tax, stock, payment): an order of magnitude, not a race.
 * Needs the network: npm installs Vendure into a temporary directory, or into BENCH_PEERS_DIR.
 */
export async function benchPeers(): Promise<void> {
  const say = (text: string) => process.stderr.write(`  ${text}\n`)
  const directory = process.env['BENCH_PEERS_DIR'] ?? (await mkdtemp(join(tmpdir(), 'peers-')))
  say(`installing Vendure ${version}`)
  await install(directory)
  const bed = await openTestBed(['.'])
  const url = databaseUrl(bed.stores.databaseUrl, 'vendure')
  await runStatements(bed.stores.databaseUrl, 'create database vendure')
  say('starting Vendure')
  const vendure = await startServer(join(directory, 'vendure.mjs'), { DATABASE_URL: url })
  try {
    await compare(bed, vendure)
  } finally {
    await vendure.stop()
    await bed.close()
    if (process.env['BENCH_PEERS_DIR'] === undefined) await rm(directory, { recursive: true })
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

async function compare(bed: TestBed, vendure: MeasuredServer): Promise<void> {
  const api = bed.servers.get('.')
  if (api === undefined) throw new Error('The API was not started')
  const sides = { reads: [] as Pair[], orders: [] as Pair[] }
  const listing = request('POST', shopApi, {}, { query: productList })
  const shape = { connections: 16, forMs, status: 200 }
  for (let round = 0; round <= rounds; round += 1) {
    const lists = reads(bed.round.callers, () => '/api/v1/asset-groups')
    const carts = await fullCarts(vendure)
    const quotes = await bed.round.freshQuotes()
    const pair = {
      reads: [await measure(vendure, () => listing, shape), await measure(api, lists, shape)],
      orders: [
        await measure(vendure, () => carts.pop(), shape),
        await measure(api, bookingRequests(quotes), { ...shape, status: 202 }),
      ],
    } as const
    // The first round warms both up.
    if (round === 0) continue
    sides.reads.push(pair.reads)
    sides.orders.push(pair.orders)
  }
  report('catalog of 20', sides.reads)
  report('placed order', sides.orders)
}

type Pair = readonly [peer: Measurement, ours: Measurement]

function report(name: string, pairs: readonly Pair[]): void {
  const of = (side: 0 | 1) => median(pairs.map((pair) => pair[side].perSecond))
  const ratios = pairs.map(([peer, ours]) => ours.perSecond / peer.perSecond)
  const figures = `${of(0).toFixed(0)} and ${of(1).toFixed(0)} a second, ×${median(ratios).toFixed(1)}`
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)]
  process.stdout.write(`  ${name.padEnd(16)}${figures} [${least.toFixed(1)}–${most.toFixed(1)}]\n`)
}

/** Requests that each place the order of a cart that lacks nothing else. */
async function fullCarts({ port }: MeasuredServer): Promise<Buffer[]> {
  const full = async () => {
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
    return request('POST', shopApi, bearer(token), mutation(placeOrder))
  }
  const carts: Buffer[] = []
  const workers = Array.from({ length: 8 }, async () => {
    while (carts.length < cartsPerRound) carts.push(await full())
  })
  await Promise.all(workers)
  return carts
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
