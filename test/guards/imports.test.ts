import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../src')

/** The folders each folder may import from. The three files at the top may import all. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  input: ['domain'],
  conformance: [],
  config: ['input', 'domain'],
  auth: ['domain'],
  fleet: ['input', 'domain'],
  telemetry: ['config', 'domain'],
  embedded: ['config', 'domain'],
  db: ['fleet', 'input', 'config', 'domain'],
  limiter: ['telemetry', 'config', 'domain'],
  cache: ['auth', 'db', 'telemetry', 'config', 'domain'],
  tracing: ['limiter'],
  services: ['fleet', 'input', 'auth', 'db', 'domain'],
  http: [
    'services',
    'cache',
    'auth',
    'db',
    'limiter',
    'tracing',
    'telemetry',
    'input',
    'config',
    'domain',
  ],
  demo: ['services', 'fleet', 'db', 'telemetry', 'config', 'domain'],
  lifecycle: [
    'http',
    'services',
    'cache',
    'auth',
    'db',
    'fleet',
    'limiter',
    'tracing',
    'telemetry',
    'embedded',
    'config',
    'domain',
  ],
  cli: [
    'lifecycle',
    'services',
    'conformance',
    'fleet',
    'embedded',
    'db',
    'input',
    'config',
    'domain',
  ],
}

/** The folders of http/ that each folder of http/ may import from. */
const allowedInHttp: typeof allowed = {
  schemas: ['chain'],
  chain: [],
  server: ['chain'],
  pages: ['chain', 'server'],
  routes: ['chain', 'server', 'schemas'],
}

/** Pure libraries that the domain is built on. */
const domainLibraries = ['@date-fns/tz', 'countries-list/currencies']
const impure =
  /\bDate\.now\(|\bnew Date\(\)|\bprocess\.|\bMath\.random\(|\bperformance\.|\bset(Timeout|Interval)\(|\bfetch\(|\brandom(UUID|Bytes)\(/

interface Import {
  readonly file: string
  readonly target: string
}

function importsOf(file: string, source: string): Import[] {
  const statements = source.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)
  return [...statements].map(([, target = '']) => ({ file, target }))
}

const layerOf = (path: string) => (path.includes('/') ? (path.split('/')[0] ?? '') : '.')

const pathOf = ({ file, target }: Import) => join(file, '..', target)

/** Returns the problem of an import, or undefined. */
function importProblem(found: Import): string | undefined {
  const { file, target } = found
  const layer = layerOf(file)
  if (layer === '.') return undefined
  const layers = allowed[layer]
  if (layers === undefined)
    return `${file}: ${layer} is a new folder: add what it may import to "allowed"`
  if (!target.startsWith('.')) {
    const ok = layer !== 'domain' || domainLibraries.includes(target)
    return ok ? undefined : `${file}: the domain is pure and may not import ${target}`
  }
  const path = pathOf(found)
  const to = layerOf(path)
  if (to !== layer && !layers.includes(to)) {
    return `${file}: imports point inward, ${layer} may not import ${path}`
  }
  if (layer !== 'http' || to !== 'http') return undefined
  const [, folder = '', toFolder = ''] = [...file.split('/', 2), path.split('/')[1]]
  if (toFolder === folder || allowedInHttp[folder]?.includes(toFolder)) return undefined
  return `${file}: imports point inward, http/${folder} may not import ${path}`
}

/** Returns the first import cycle, type imports included, or an empty list. */
function cycleIn(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>()
  const walk = (file: string, way: readonly string[]): string[] => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file]
    if (done.has(file)) return []
    for (const next of imports.get(file) ?? []) {
      const cycle = walk(next, [...way, file])
      if (cycle.length > 0) return cycle
    }
    done.add(file)
    return []
  }
  for (const file of imports.keys()) {
    const cycle = walk(file, [])
    if (cycle.length > 0) return cycle
  }
  return []
}

function sourcesIn(folder: string) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => file.endsWith('.ts') && !/dist|node_modules/.test(file))
    .map((file) => ({ file, source: readFileSync(join(folder, file), 'utf8') }))
}
const importsIn = (found: ReturnType<typeof sourcesIn>) =>
  found.map(({ file, source }) => ({ file, found: importsOf(file, source) }))

const sources = sourcesIn(root)
const files = sources.map(({ file }) => file)
const imports = importsIn(sources)

describe('imports', () => {
  it('src has only imports that the rules between its folders allow', () => {
    const problems = imports.flatMap(({ found }) =>
      found.flatMap((each) => importProblem(each) ?? []),
    )
    expect(problems).toEqual([])
  })

  it('every folder of src has a rule, and only app.ts, cli.ts and server.ts are directly in src', () => {
    const folders = new Set(files.map(layerOf))
    expect(['.', ...Object.keys(allowed)].sort()).toEqual([...folders].sort())
    const loose = files.filter((file) => layerOf(file) === '.')
    expect(loose.sort()).toEqual(['app.ts', 'cli.ts', 'server.ts'])
  })

  it.each([
    ['src', imports],
    ['clients', importsIn(sourcesIn(join(root, '../clients')))],
  ])('%s has no import cycle', (_, all) => {
    const own = all.map(({ file, found }): [string, string[]] => [
      file,
      found.filter(({ target }) => target.startsWith('.')).map(pathOf),
    ])
    expect(own.length).toBeGreaterThan(40)
    expect(cycleIn(new Map(own))).toEqual([])
  })

  it('rejects imports that point outward, form a cycle or come from a folder without a rule', () => {
    const caught = (file: string, source: string) => importsOf(file, source).some(importProblem)
    expect(caught('domain/money.ts', "import { z } from 'zod'")).toBe(true)
    expect(caught('domain/money.ts', "import fs from 'node:fs'")).toBe(true)
    expect(caught('db/queries/a.ts', "import { x } from '../../http/a.ts'")).toBe(true)
    expect(caught('services/a.ts', "import { openDeps } from '../server.ts'")).toBe(true)
    expect(caught('config/a.ts', "import { x } from '../domain/units.ts'")).toBe(false)
    expect(caught('attic/a.ts', "import { x } from './b.ts'")).toBe(true)
    expect(caught('http/routes/a.ts', "import { b } from '../chain/b.ts'")).toBe(false)
    expect(caught('http/chain/a.ts', "import { b } from '../server/b.ts'")).toBe(true)
    expect(caught('http/attic/a.ts', "import { b } from '../chain/b.ts'")).toBe(true)
    const circle = { a: ['b', 'c'], b: ['c'], c: ['d', 'b'], d: [] }
    expect(cycleIn(new Map(Object.entries(circle)))).toEqual(['b', 'c', 'b'])
  })
})

describe('the domain', () => {
  it('the domain uses no clock, timers, environment, network or randomness', () => {
    const domain = sources.filter(({ file }) => layerOf(file) === 'domain')
    expect(domain.length).toBeGreaterThan(5)
    expect(domain.filter(({ source }) => impure.test(source)).map(({ file }) => file)).toEqual([])
    expect(impure.test('const at = new Date()')).toBe(true)
  })
})
