import process from 'node:process'
import { compareServers } from './compare.ts'
import { measureGrowth } from './growth.ts'
import { measureTenants } from './tenants.ts'

/** The benchmarks by the NAME in `npm run bench NAME`. Default: `compare`. */
const benches: Readonly<Record<string, () => Promise<void>>> = {
  compare: compareServers,
  growth: measureGrowth,
  tenants: measureTenants,
}

const [name = 'compare'] = process.argv.slice(2)
const bench = benches[name]
if (bench === undefined) {
  process.stderr.write(
    `Unknown benchmark "${name}". Use one of: ${Object.keys(benches).join(', ')}\n`,
  )
  process.exit(2)
}
await bench()
