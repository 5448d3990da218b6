import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { operatorVariables, parseConfig, variables } from '../../src/config/environment.ts'
import { placement } from '../../src/db/distribution/placement.ts'
import { limitRules } from '../../src/domain/limits.ts'
import { type FleetFields, tenantFields } from '../../src/fleet/fields.ts'
import { fleetFile } from '../../src/fleet/fleetFile.ts'
import { sheetNames, sheets } from '../../src/fleet/workbook/sheets.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const documents = [
  ...[
    'README.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'test/README.md',
    'clients/typescript/README.md',
    'clients/widget/README.md',
  ],
  ...readdirSync(join(root, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
]

/** Returns the anchors that GitHub gives to a document's headings. */
function anchorsOf(document: string): Set<string> {
  const headings = document.matchAll(/^#+ (.+)$/gm)
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

/** Returns the links of a document whose file or heading does not exist. */
function deadLinks(path: string, text: string): string[] {
  const links = [...text.matchAll(/\]\(([^)\s]*)\)|src="([^"]+)"/g)].map(
    ([, link, source]) => link ?? source ?? '',
  )
  return links.filter((link) => {
    if (/^\w+:/.test(link)) return false
    const [file = '', anchor] = link.split('#')
    const target = file === '' ? path : join(dirname(path), file)
    if (!existsSync(join(root, target))) return true
    return anchor !== undefined && !anchorsOf(read(target)).has(anchor)
  })
}

/** Returns the files a document names that do not exist; `test/` and a file's ending are optional. */
function missingFiles(text: string): string[] {
  const named = [
    ...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)+\.(?:ts|mjs|sql|ya?ml|json|md|cfg|sh))`/g),
    ...text.matchAll(/`((?:src|test|docs|bench|clients|examples|migrations|docker)\/[\w./-]*)`/g),
  ].map(([, file = '']) => file)
  const candidates = (file: string) => ['', '.ts', '.test.ts'].map((ending) => `${file}${ending}`)
  return named.filter(
    (file) =>
      ![...candidates(file), ...candidates(`test/${file}`)].some((p) => existsSync(join(root, p))),
  )
}

/** Returns the rows of the variable tables: name, default and example. */
function variableRows(document: string): { name: string; fallback: string; example: string }[] {
  const [settings = ''] = document.split('\n## Docker Compose\n')
  const rows = settings.matchAll(/^\| `(\w+)` \| ([^|]*) \| [^|]* \| `([^`]+)` \|$/gm)
  return [...rows].map(([, name = '', fallback = '', example = '']) => ({
    name,
    fallback,
    example,
  }))
}

describe('the documents', () => {
  it('documents link only existing files and headings', () => {
    expect(documents.flatMap((path) => deadLinks(path, read(path)))).toEqual([])
    expect(deadLinks('README.md', '[a](docs/none.md) [b](README.md#none) ![c](https://d)')).toEqual(
      ['docs/none.md', 'README.md#none'],
    )
  })

  it('comments in src link only existing headings of documents', () => {
    const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    const named = files.filter((file) => /\.(ts|sql)$/.test(file))
    const sources = named.map((file) => read(join('src', file))).join('')
    const links = [...sources.matchAll(/\((docs\/\w+\.md#[\w-]+)\)/g)].map(([, to]) => `](${to})`)
    expect(links.length).toBeGreaterThan(5)
    expect(deadLinks('README.md', links.join())).toEqual([])
  })

  it('documents name only existing files', () => {
    expect(
      documents.flatMap((path) => missingFiles(read(path)).map((file) => [path, file])),
    ).toEqual([])
    expect(missingFiles('`http/none.test.ts` `src/none/` `guards/imports.test.ts`')).toEqual([
      'http/none.test.ts',
      'src/none/',
    ])
  })

  it('documents name only existing scripts of package.json', () => {
    const { scripts } = JSON.parse(read('package.json'))
    const named = documents.flatMap((path) => [...read(path).matchAll(/npm run (?:-s )?([\w:]+)/g)])
    expect(named.length).toBeGreaterThan(20)
    expect(named.map(([, name = '']) => name).filter((name) => !(name in scripts))).toEqual([])
  })
})

it('the Citus placement lists every table of the schema', () => {
  const schema = readdirSync(join(root, 'src/db/schema')).map((file) =>
    read(join('src/db/schema', file)),
  )
  const tables = [...schema.join('').matchAll(/pgTable\(\s*'(\w+)'/g)].map(([, name]) => name)
  expect(tables.length).toBeGreaterThan(10)
  const placed = [...placement.reference, ...placement.distributed]
  expect(placed.sort()).toEqual(tables.sort())
})

describe('the first steps of the documents', () => {
  const slugIn = (file: string): string => JSON.parse(read(file)).tenant.slug

  it.each(['README.md', 'docs/fleet.md', 'src/cli/program.ts', 'src/cli/commands/fleetImport.ts'])(
    'in %s, the import and key commands name the same tenant, which is not the demo',
    (path) => {
      const text = read(path)
      const [, file = ''] = /fleet import (examples\/[\w-]+\.json)/.exec(text) ?? []
      const [, keyOf = slugIn(file)] = /keys create --tenant ([\w-]+)/.exec(text) ?? []
      expect(slugIn(file)).not.toBe(slugIn('examples/fleet.json'))
      expect(keyOf).toBe(slugIn(file))
    },
  )
})

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
}

/** Returns the fields of a fleet file as `list[].field`, without lists and the fields of blocks. */
function fleetFields({ properties = {} }: JsonSchema, parent = ''): string[] {
  return Object.entries(properties).flatMap(([name, found]) => {
    if (found.properties !== undefined) return fleetFields(found, name)
    const entry = name === 'blocks' ? undefined : found.items
    if (entry?.properties !== undefined) return fleetFields(entry, `${name}[]`)
    return name === 'id' || name === '$schema'
      ? []
      : [`${parent}.${name}${found.items === undefined ? '' : '[]'}`]
  })
}

it('docs/fleet.md has a row for exactly the fields of a fleet file', () => {
  const rows = read('docs/fleet.md').matchAll(/^\| `(\w+(?:\[\])?)\.([^|]+)` \|/gm)
  const documented = [...rows].flatMap(([, parent, fields = '']) =>
    fields.split('` `').map((field) => `${parent}.${field}`),
  )
  const schema = z.toJSONSchema(fleetFile, { io: 'input', unrepresentable: 'any' })
  expect(documented.sort()).toEqual(fleetFields(schema as JsonSchema).sort())
})

it.each(sheetNames)('docs/fleet.md lists the columns of the sheet %s', (sheet) => {
  const lines = read('docs/fleet.md').split('\n')
  const row = lines.find((line) => line.startsWith(`| \`${sheet}\` |`)) ?? ''
  const settings: FleetFields = sheet === 'Company' ? tenantFields : {}
  const columns = [...Object.values(sheets[sheet]), ...Object.values(settings)]
  const titles = columns.flatMap(({ title, optional }) => (title && !optional ? [title] : []))
  expect(titles.filter((title) => !row.includes(`\`${title}\``))).toEqual([])
})

describe('docs/configuration.md', () => {
  const rows = variableRows(read('docs/configuration.md'))

  it('docs/configuration.md lists exactly the variables that the server reads', () => {
    const ofNpm = 'npm_lifecycle_event'
    expect([...rows.map(({ name }) => name), ofNpm].sort()).toEqual([...variables].sort())
  })

  it('docs/configuration.md lists exactly the variables that the command line reads', () => {
    const [, list = ''] = read('docs/configuration.md').split('**The command line** reads')
    const names = [...(list.split('\n\n')[0] ?? '').matchAll(/`([A-Z_]{4,})`/g)]
    expect(names.map(([, name]) => name).sort()).toEqual(
      [...operatorVariables, 'RENTAL_OPERATOR'].sort(),
    )
  })

  it('docs/configuration.md lists the default of each variable', () => {
    const literal = rows.flatMap(({ name, fallback }) => {
      const [, value] = /^`([^` ]+)`$/.exec(fallback) ?? []
      return value === undefined ? [] : [[name, value] as const]
    })
    expect(literal.length).toBeGreaterThan(20)
    for (const [name, value] of literal)
      expect([name, parseConfig({ [name]: value })]).toEqual([name, parseConfig({})])
  })

  it('docs/contract.md has the default of each limit', () => {
    const [, section = ''] = read('docs/contract.md').split('\n## Limits\n')
    const [table = ''] = section.split('\n## ')
    const unit =
      /(\d+) (?:an? (?:minute|hour|day)|(?:created )?(?:reads|sessions|quotes|bookings))/g
    const documented = [...table.matchAll(unit)].map(([, number]) => Number(number))
    const defaults = Object.values(limitRules).map(({ byDefault }) => byDefault)
    const all = [...defaults, parseConfig({}).unauthenticatedPerMinute]
    expect(documented.sort()).toEqual(all.sort())
  })

  const limitVariables = Object.values(limitRules).map(({ variable }) => variable)
  const named = rows.filter(
    ({ name }) => !/^(NODE_ENV$|OTEL_)/.test(name) && !limitVariables.includes(name),
  )

  it.each(named)('the example of $name changes the field of its name', ({ name, example }) => {
    const plain = (field: string) =>
      field
        .replaceAll('_', '')
        .toLowerCase()
        .replace(/^limit|(ms|seconds)$/g, '')
    const url = { DATABASE_URL: 'postgres://db/rental' }
    const given = name === 'DATABASE_DIRECT_URL' ? url : {}
    const byDefault = Object.entries(parseConfig(given))
    const read: Readonly<Record<string, unknown>> = parseConfig({ ...given, [name]: example })
    const changed = byDefault.filter(([field, value]) => !isDeepStrictEqual(read[field], value))
    expect(changed.map(([field]) => plain(field))).toContain(plain(name))
  })

  it('the examples in docs/configuration.md form a valid configuration', () => {
    const examples = Object.fromEntries(rows.map(({ name, example }) => [name, example]))
    expect(parseConfig(examples)).toMatchObject({ production: true, tracing: 'off' })
  })
})
