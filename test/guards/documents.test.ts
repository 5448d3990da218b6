import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../src/config.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const documents = [
  ...['README.md', 'CONTRIBUTING.md', 'test/README.md', 'clients/typescript/README.md'],
  ...readdirSync(join(root, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
]

/** The anchors that GitHub gives to a document's headings. */
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

/** The links of a document that lead nowhere: no such file, or no such heading in it. */
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

/** The files a document names that are not there; `test/` and a file's ending may be left out. */
function missingFiles(text: string): string[] {
  const named = [
    ...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)+\.(?:ts|mjs|sql|ya?ml|json|md|cfg|sh))`/g),
    ...text.matchAll(/`((?:src|test|docs|bench|clients|examples|migrations|docker)\/[\w./-]*)`/g),
  ].map(([, file = '']) => file)
  const places = (file: string) => ['', '.ts', '.test.ts'].map((ending) => `${file}${ending}`)
  return named.filter(
    (file) => ![...places(file), ...places(`test/${file}`)].some((p) => existsSync(join(root, p))),
  )
}

/** The rows of the tables of variables that the server reads: variable, default and example. */
function variables(document: string): { name: string; fallback: string; example: string }[] {
  const [settings = ''] = document.split('\n## Docker Compose\n')
  const rows = settings.matchAll(/^\| `(\w+)` \| ([^|]*) \| [^|]* \| `([^`]+)` \|$/gm)
  return [...rows].map(([, name = '', fallback = '', example = '']) => ({
    name,
    fallback,
    example,
  }))
}

describe('the documents', () => {
  it('link to what is there', () => {
    expect(documents.flatMap((path) => deadLinks(path, read(path)))).toEqual([])
    expect(deadLinks('README.md', '[a](docs/none.md) [b](README.md#none) ![c](https://d)')).toEqual(
      ['docs/none.md', 'README.md#none'],
    )
  })

  it('name files that are there', () => {
    expect(
      documents.flatMap((path) => missingFiles(read(path)).map((file) => [path, file])),
    ).toEqual([])
    expect(missingFiles('`http/none.test.ts` `src/none/` `guards/imports.test.ts`')).toEqual([
      'http/none.test.ts',
      'src/none/',
    ])
  })
})

describe('the page of variables', () => {
  const rows = variables(read('docs/configuration.md'))

  it('has every variable that is read, and no other', () => {
    const known = [...read('src/config.ts').matchAll(/^ {4}([A-Z][A-Z_]+): /gm)]
    expect(known.length).toBeGreaterThan(30)
    expect(rows.map(({ name }) => name).sort()).toEqual(known.map(([, name = '']) => name).sort())
  })

  it('gives the defaults', () => {
    const literal = rows.flatMap(({ name, fallback }) => {
      const [, value] = /^`([^` ]+)`$/.exec(fallback) ?? []
      return value === undefined ? [] : [[name, value] as const]
    })
    expect(literal.length).toBeGreaterThan(20)
    for (const [name, value] of literal)
      expect([name, parseConfig({ [name]: value })]).toEqual([name, parseConfig({})])
  })

  it('gives examples that work together', () => {
    const examples = Object.fromEntries(rows.map(({ name, example }) => [name, example]))
    expect(parseConfig(examples)).toMatchObject({ production: true, tracing: 'off' })
  })
})
