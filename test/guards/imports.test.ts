import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../src')

/** Who may be imported from where, inward only. Files at the top wire everything together. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  domain: ['domain'],
  input: ['input'],
  conform: ['conform'],
  fleet: ['fleet', 'input', 'domain'],
  embedded: ['embedded'],
  auth: ['auth', 'domain'],
  db: ['db', 'fleet', 'domain', '.'],
  limiter: ['limiter', 'domain'],
  cache: ['cache', 'auth', 'db', 'metrics', 'domain', '.'],
  metrics: ['metrics', '.'],
  tracing: ['tracing', 'limiter'],
  services: ['services', 'fleet', 'input', 'auth', 'db', 'limiter', 'domain', '.'],
  http: ['http', 'services', 'input', 'auth', 'db', 'limiter', 'metrics', 'domain', '.'],
}

/** What an inner layer may take from the top: types of its dependencies and where files are. */
const topFiles = ['config.ts', 'deps.ts', 'log.ts', 'projectRoot.ts', 'version.ts']

/** Pure libraries that the domain is built on. */
const domainLibraries = ['@date-fns/tz', 'countries-list/currencies']
const impure = /\bDate\.now\(|\bnew Date\(\)|\bprocess\.|\bMath\.random\(/

interface Import {
  readonly file: string
  readonly target: string
}

function importsOf(file: string, source: string): Import[] {
  const statements = source.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)
  return [...statements].map(([, target = '']) => ({ file, target }))
}

const layerOf = (path: string) => (path.includes('/') ? (path.split('/')[0] ?? '') : '.')

/** Says what is wrong with an import, or undefined. */
function importProblem({ file, target }: Import): string | undefined {
  const layer = layerOf(file)
  const layers = allowed[layer]
  if (layers === undefined) return undefined
  if (!target.startsWith('.')) {
    const ok = layer !== 'domain' || domainLibraries.includes(target)
    return ok ? undefined : `${file}: the domain is pure and may not import ${target}`
  }
  const path = relative(root, join(root, file, '..', target))
  const from = layerOf(path)
  const ok = layers.includes(from) && (from !== '.' || topFiles.includes(path))
  return ok ? undefined : `${file}: imports point inward, ${layer} may not import ${path}`
}

const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
)
const sources = files.map((file) => ({ file, source: readFileSync(join(root, file), 'utf8') }))

describe('imports', () => {
  it('point inward, and the domain imports nothing but itself', () => {
    const problems = sources.flatMap(({ file, source }) =>
      importsOf(file, source).flatMap((found) => importProblem(found) ?? []),
    )
    expect(problems).toEqual([])
  })

  it('would be caught pointing outward', () => {
    const caught = (file: string, source: string) => importsOf(file, source).some(importProblem)
    expect(caught('domain/money.ts', "import { z } from 'zod'")).toBe(true)
    expect(caught('domain/money.ts', "import fs from 'node:fs'")).toBe(true)
    expect(caught('db/quotes.ts', "import { x } from '../http/errors.ts'")).toBe(true)
    expect(caught('services/a.ts', "import { openDeps } from '../server.ts'")).toBe(true)
    expect(caught('http/routes/a.ts', "import { b } from '../../services/b.ts'")).toBe(false)
  })
})

describe('the domain', () => {
  it('knows no clock, no environment and no chance', () => {
    const domain = sources.filter(({ file }) => layerOf(file) === 'domain')
    expect(domain.length).toBeGreaterThan(5)
    expect(domain.filter(({ source }) => impure.test(source)).map(({ file }) => file)).toEqual([])
    expect(impure.test('const at = new Date()')).toBe(true)
  })
})
