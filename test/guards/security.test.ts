import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const document = read('docs/security.md')
const nasty = readdirSync(join(root, 'test/http/nasty')).map((file) =>
  read(`test/http/nasty/${file}`),
)

/** What rows of a table name as tests and is nowhere: files, titles behind a file, codes of inputs. */
function untested(rows: readonly string[]): string[] {
  return rows.flatMap((row) => {
    const files = [...row.matchAll(/`([\w/.]+\.ts)`(?: "([^"]+)")?/g)]
    const codes = row.match(/\bN-\d+\b/g) ?? []
    const wrong = files.filter(([, file = '', title = '']) => {
      const path = file.startsWith('src/') ? file : `test/${file}`
      return !existsSync(join(root, path)) || !read(path).includes(title)
    })
    const nowhere = codes.filter((code) => !nasty.join().includes(`'${code}'`))
    const named = files.length + codes.length > 0
    return [...wrong.map(([whole]) => whole), ...nowhere, ...(named ? [] : [row])]
  })
}

const rowsOf = (part: string) =>
  part.split('\n').filter((line) => /^\| (?!\||An attacker)/.test(line))
const [, threats = ''] = /\n## Threats\n([\s\S]*?)\n## /.exec(document) ?? []
const [, checklist = ''] = document.split('\n## Checklist\n')

it('every threat of security.md names tests that are there', () => {
  expect(rowsOf(threats).length).toBeGreaterThan(20)
  expect(untested(rowsOf(threats))).toEqual([])
  const bad = ['| a | b | `http/limits.test.ts` "no such" |', '| a | b | N-999 |', '| a | b | c |']
  expect(untested(bad)).toEqual(['`http/limits.test.ts` "no such"', 'N-999', bad[2]])
})

it('every line of its checklist names tests that are there, or says why not', () => {
  const rows = rowsOf(checklist)
  expect(rows.length).toBeGreaterThan(40)
  const declined = /\| (?:declined(?: here)?|not tested): [^|]{20,} \|$/
  expect(untested(rows.filter((row) => !declined.test(row)))).toEqual([])
})

it('nothing that the server makes is drawn from numbers that can be guessed', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  const guessable = files.filter(
    (file) => /\.ts$/.test(file) && /Math\.random/.test(read(`src/${file}`)),
  )
  expect(guessable).toEqual([])
})
