import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const directory = join(import.meta.dirname, '../../src/db')

/** Tables that belong to a tenant, by the names under which the schema exports them. */
const tables =
  /\b(apiKeyIdentities|apiKeySecrets|assetGroups|assets|assetBlocks|rates|extras|quotes|bookings|bookingEvents|bookingFeeds|bookingFeedEntries|idempotencyRecords|api_key_identities|api_key_secrets|asset_groups|asset_blocks|booking_events|booking_feeds|booking_feed_entries|idempotency_records|redeem_quote)\b/

/** A tenant among the parameters: its id, its unique slug, or something that carries either. */
const tenantParameter =
  /tenantId|\bslug: string|tenant_id|Redemption\b|NewQuote|KeyId\b|KeyUse\b|ReviewableBooking/

/** Who may look over all tenants, and why. None of them can be reached from the public API but one. */
const exceptions: Readonly<Record<string, string>> = {
  findKey: 'the key itself says which tenant is calling',
  findAssets: 'staff name a vehicle by its number plate; the tenant comes with the row',
  findTenantOfKey: 'staff name a key by its id; the tenant is what is asked for',
  lockApiKey: 'staff name a key by its id; the tenant comes with the row',
  findBookingForReview: 'staff name a booking by its id; the tenant comes with the row',
  findBookingsInRange: 'staff name a booking by the beginning of its id',
  findQuotesInRange: 'staff name a quote by the beginning of its id',
  findKeysInRange: 'staff name a key by the beginning of its id',
  bookingExists: 'staff name a booking by its id',
  eraseByBooking: 'staff name a booking by its id',
  eraseByEmail: 'a person asks to be forgotten everywhere',
  databaseCheck: 'asks for the rights on tables, and reads no row',
  deletePastRetention: 'retention is the same for all',
  checkInvariant: 'the audit looks at every row',
  findFleetMoments: 'the audit looks at every fleet',
}

interface DbFunction {
  readonly file: string
  readonly name: string
  readonly parameters: string
}

/** The exported functions of a file that touches tenant data, and the table they sit beside. */
function functionsOf(file: string, source: string): DbFunction[] {
  const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').replace(/^import .*$/gm, '')
  if (!tables.test(code)) return []
  const found = code.matchAll(
    /export (?:async )?function (\w+)(?:<[^>]*>)?\(([\s\S]*?)\n?\)(?::|\s*\{)/g,
  )
  return [...found].map(([, name = '', parameters = '']) => ({ file, name, parameters }))
}

function unscoped(functions: readonly DbFunction[]): string[] {
  return functions
    .filter(({ name, parameters }) => !(name in exceptions) && !tenantParameter.test(parameters))
    .map(({ file, name }) => `${file}: ${name} does not take the tenant`)
}

const files = readdirSync(directory).filter((file) => file.endsWith('.ts') && file !== 'schema.ts')
const functions = files.flatMap((file) =>
  functionsOf(file, readFileSync(join(directory, file), 'utf8')),
)

describe('the functions of src/db', () => {
  it('name a tenant among their parameters, but for the listed ones', () => {
    expect(functions.length).toBeGreaterThan(15)
    expect(unscoped(functions)).toEqual([])
  })

  it('are all there that are listed as exceptions', () => {
    const names = new Set(functions.map(({ name }) => name))
    expect(Object.keys(exceptions).filter((name) => !names.has(name))).toEqual([])
  })

  it('would be caught without it', () => {
    const source = (parameters: string) =>
      `const x = bookings\nexport async function readAll(${parameters}): Promise<void> {\n}\n`
    expect(unscoped(functionsOf('a.ts', source('database: Database, id: string')))).toHaveLength(1)
    expect(
      unscoped(functionsOf('a.ts', source('{ orm }: Database,\n  id: string,\n'))),
    ).toHaveLength(1)
    expect(unscoped(functionsOf('a.ts', source('database: Database, tenantId: string')))).toEqual(
      [],
    )
    expect(functionsOf('a.ts', '// bookings\nexport function f(a: string): void {}')).toEqual([])
  })
})
