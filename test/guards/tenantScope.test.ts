import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { placement, tenantFunctions } from '../../src/db/distribution/placement.ts'

const source = join(import.meta.dirname, '../../src')
const directory = join(source, 'db')

const tenantTables = [...placement.reference, ...placement.distributed].filter(
  (table) => table !== 'tenants',
)
const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase())

/** Names of tenant data in the database and in the schema. */
const tables = new RegExp(
  `\\b(${[...tenantTables, ...tenantTables.map(camelCase), ...tenantFunctions, 'catalogs'].join('|')})\\b`,
)

/** A parameter that identifies the tenant: its id, its slug, or an object with either. */
const tenantParameter = /tenantId|\bslug: string|tenant_id|Redemption\b|NewQuote|RowKey\b|KeyUse\b/

/** Functions that may read all tenants, and why. */
const exceptions: Readonly<Record<string, string>> = {
  findKey: 'the key identifies the tenant',
  listTenants: 'lists the tenants themselves',
  listCustomerRetentions: 'lists the tenants themselves',
  copyTables: 'copies a whole database',
  findAssets: 'staff name a vehicle by its number plate; the tenant comes with the row',
  findMissing: 'reads catalogs and no row',
  findUnknown: 'reads catalogs and no row',
  quoteStore: 'each quote contains its tenant',
  catalogReader: 'returns a function that takes the tenant',
  rentalCounter: 'returns a function that takes the tenant',
  hasPersonalData: 'is an SQL condition, used in statements with the tenant',
  findUnfinishedErasures: 'housekeeping is for all tenants',
  shownDetails: 'is an SQL expression, used in statements with the tenant',
  detailColumns: 'reads no row',
  isOpen: 'is an SQL condition, used in statements with the tenant',
  windowCounts: 'is the text of a statement whose $1 is the tenant',
  findTenantOfGroup: 'the demo stores its group and looks up the tenant',
  findBookingForReview: 'staff name a booking by its id; the tenant comes with the row',
  findBookingsInRange: 'staff name a booking by the beginning of its id',
  findQuotesInRange: 'staff name a quote by the beginning of its id',
  findKeysInRange: 'staff name a key by the beginning of its id',
  deletePastRetention: 'retention is the same for all tenants',
  checkInvariant: 'the audit reads every row',
  findFleetMoments: 'the audit reads every fleet',
}

/** Statements on tenant tables that need no tenant condition, and why. */
const unboundStatements: Readonly<Record<string, string>> = {
  callerByHash: 'the key identifies the tenant',
  findTenantOfGroup: 'the demo looks up the tenant',
  writePrivileges: 'lists privileges and reads no row',
  windowCount: 'reads the rows of other expressions, which compare the tenant',
}

interface DbFunction {
  readonly file: string
  readonly name: string
  readonly parameters: string
  readonly body: string
}

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
const codeOf = (text: string) => withoutComments(text).replace(/^import [\s\S]*?from '.*'$/gm, '')

/** Splits code into its top-level declarations. */
const declarationsOf = (code: string) =>
  code.split(/\n(?=(?:export|async|function|const|interface|type) )/)

/** Returns the exported functions of a file that touches tenant data. */
function functionsOf(file: string, text: string): DbFunction[] {
  const code = codeOf(text)
  if (!tables.test(code)) return []
  return declarationsOf(code).flatMap((declaration) => {
    const found =
      /^export (?:(?:async )?function (\w+)(?:<[^>]*>)?|const (\w+) = (?:async )?)\(([\s\S]*?)\n?\)(?::|\s*\{| =>)([\s\S]*)/.exec(
        declaration,
      )
    if (found === null) return []
    const [, declared, arrow = '', parameters = '', body = ''] = found
    const name = declared ?? arrow
    return [{ file, name, parameters, body }]
  })
}

function unscoped(functions: readonly DbFunction[]): string[] {
  const problems = functions.map(({ file, name, parameters, body }) => {
    if (name in exceptions) return []
    if (!tenantParameter.test(parameters)) return `${file}: ${name} does not take the tenant`
    const named = /\btenantId\b(?!')/.test(parameters.replace(/readonly tenantId/g, ''))
    return named && !/\btenantId\b/.test(body) ? `${file}: ${name} does not use the tenant` : []
  })
  return problems.flat()
}

const reads = /\.(from|update|delete)\((?!database\))|\b(from|join|update|delete from) [a-z_$]/
/** Matches a comparison of the tenant with a value or another row. */
const bound =
  /\btenant_id\s*=|\(tenant_id, |\beq\(\s*[\w.]*tenantId|\b(rowOf|inRange)\(|\b(redeem_quote|store_quotes)\(\$1/

/** Returns the declarations with a statement on tenant rows that lacks the tenant. */
function unbound(file: string, text: string): string[] {
  return declarationsOf(codeOf(text))
    .filter((code) => tables.test(code) && reads.test(code) && !bound.test(code))
    .map((code) => /(?:function|const) (\w+)/.exec(code)?.[1] ?? code)
    .filter((name) => !(name in unboundStatements))
    .map((name) => `${file}: ${name} has a statement without the tenant`)
}

/** Matches database statements and the schema, which only `src/db` may use. */
const databaseAccess = /\borm\b|\.query\(|'drizzle-orm|\/db\/schema/

const read = (...path: string[]) => readFileSync(join(...path), 'utf8')
const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.startsWith('schema/'),
)
const functions = files.flatMap((file) => functionsOf(file, read(directory, file)))

describe('the functions of src/db', () => {
  it('requires every function to take and use the tenant unless listed as an exception', () => {
    expect(functions.length).toBeGreaterThan(15)
    expect(unscoped(functions)).toEqual([])
  })

  it('requires every statement to compare the tenant unless listed as an exception', () => {
    expect(files.flatMap((file) => unbound(file, read(directory, file)))).toEqual([])
  })

  it.each(['rowOf', 'inRange'])('compares the tenant in the helper %s', (name) => {
    const declarations = files.flatMap((file) => declarationsOf(codeOf(read(directory, file))))
    const declared = declarations.filter((code) =>
      new RegExp(`(function|const) ${name}\\b`).test(code),
    )
    expect(declared).toEqual([expect.stringMatching(/\beq\(\s*table\.tenantId, /)])
  })

  it('lists only exceptions that exist', () => {
    const names = new Set(functions.map(({ name }) => name))
    expect(Object.keys(exceptions).filter((name) => !names.has(name))).toEqual([])
    const all = files.map((file) => read(directory, file)).join('\n')
    const declared = (name: string) => new RegExp(`(function|const) ${name}\\b`).test(all)
    expect(Object.keys(unboundStatements).filter((name) => !declared(name))).toEqual([])
  })

  it('rejects a function that does not take or use the tenant', () => {
    const source = (parameters: string, body = '') =>
      `const x = bookings\nexport async function readAll(${parameters}): Promise<void> {\n${body}}\n`
    const caught = (...of: Parameters<typeof source>) =>
      unscoped(functionsOf('a.ts', source(...of))).length
    expect(caught('database: Database, id: string')).toBe(1)
    expect(caught('{ orm }: Database,\n  id: string,\n')).toBe(1)
    expect(caught('database: Database, tenantId: string')).toBe(1)
    expect(caught('{ orm }: Database,\n  { tenantId, id }: { readonly tenantId: string },\n')).toBe(
      1,
    )
    expect(caught('database: Database, tenantId: string', 'use(tenantId)')).toBe(0)
    const arrow = 'const x = bookings\nexport const all = ({ orm }: Database) =>\n  orm.select()\n'
    expect(unscoped(functionsOf('a.ts', arrow))).toEqual(['a.ts: all does not take the tenant'])
    expect(functionsOf('a.ts', '// bookings\nexport function f(a: string): void {}')).toEqual([])
  })

  it.each([
    ['const byId = `select tenant_id, id from bookings where id = $1`', 1],
    ['const byId = `select id from bookings where tenant_id = $1 and id = $2`', 0],
    ['const all = `update asset_groups set name = $1`', 1],
    ['function f() {\n  return orm.select().from(bookings).where(eq(bookings.id, id))\n}', 1],
    ['function f() {\n  return orm.update(bookings).where(rowOf(bookings, tenantId, id))\n}', 0],
  ])('counts declarations with a statement that lacks the tenant: %s', (code, count) => {
    expect(unbound('a.ts', `import { x } from 'y'\n${code}`)).toHaveLength(count)
  })
})

it('no file outside src/db has database statements', () => {
  const others = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.startsWith('db/'),
  )
  expect(others.length).toBeGreaterThan(100)
  const having = others.filter((file) => databaseAccess.test(withoutComments(read(source, file))))
  expect(having).toEqual([])
  expect('await database.orm\n  .update(assetGroups)').toMatch(databaseAccess)
  expect("await pool.query('select 1')").toMatch(databaseAccess)
})
