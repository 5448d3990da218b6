import process from 'node:process'
import { benchAvailability } from './availability.ts'
import { benchGrowth } from './growth.ts'
import { benchCompare } from './http/compare.ts'
import { benchHttp } from './http/index.ts'
import { benchKeys } from './keys.ts'
import { benchMetrics } from './metrics.ts'
import { benchPeers } from './peers/index.ts'
import { benchPricing } from './pricing.ts'

/** What `npm run bench NAME` runs; without a name, all of them one after the other. */
const benches: Readonly<Record<string, () => void | Promise<void>>> = {
  pricing: benchPricing,
  availability: benchAvailability,
  http: benchHttp,
  growth: benchGrowth,
  metrics: benchMetrics,
  keys: benchKeys,
}

/** One needs two builds, the other the network: they only run when they are named. */
const named: typeof benches = { ...benches, compare: benchCompare, peers: benchPeers }

const chosen = process.argv.slice(2)
for (const name of chosen.length > 0 ? chosen : Object.keys(benches)) {
  const bench = named[name]
  if (bench === undefined) {
    process.stderr.write(`No bench "${name}". There are: ${Object.keys(named).join(', ')}\n`)
    process.exit(2)
  }
  process.stdout.write(`${name}\n`)
  await bench()
}
