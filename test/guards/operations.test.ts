import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { requestTimeouts } from '../../src/db/timeouts.ts'
import { metricNames, operations, ours, read, rowsOf } from './operationsPage.ts'

const root = join(import.meta.dirname, '../..')

describe('the document', () => {
  it('names every metric of ours, and no other', async () => {
    expect(rowsOf('Metrics').sort()).toEqual(ours(await metricNames()))
  })

  it('names every line that the log can have, each with its level', () => {
    const lines = messages()
    const said = lines.map(({ message }) => message)
    expect(said.length).toBeGreaterThan(20)
    const section = operations.split('\n## Log lines\n')[1]?.split('\n## ')[0] ?? ''
    const rows = rowsOf('Log lines').map((row) => row.replace(/…$/, ''))
    expect(
      said.filter((message) => !rows.some((row) => row !== '' && message.startsWith(row))),
    ).toEqual([])
    expect(
      rows.filter(
        (row) => /^[a-zA-Z].* /.test(row) && !said.some((message) => message.startsWith(row)),
      ),
    ).toEqual([])
    expect(section).toContain('`answered`')
    const levels = [...section.matchAll(/^\| `([^`…]+)…?` \| (\w+)/gm)]
    for (const { message, level } of lines) {
      const [, , wanted] = levels.find(([, row = '']) => message.startsWith(row)) ?? []
      expect([message, level]).toEqual([message, wanted])
    }
  })
})

/** The first text in every call of a log, and the level; what it is about comes before it as an object. */
function messages() {
  const nested = String.raw`\((?:[^()]|\([^()]*\))*\)`
  const call = new RegExp(
    String.raw`\blog(?:\.(fatal|error|warn|info|debug|trace))?\((?:[^'\x60()]|${nested})*?(?:'([^'\n]+)'|\x60([^\x60]+)\x60)`,
    'g',
  )
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...read(join('src', file)).matchAll(call)])
    .map(([, level = 'info', quoted, template = '']) => ({
      // The embedded database tells what it does, and no more.
      level,
      message: quoted ?? template.split('${')[0] ?? template,
    }))
}

it('the role that operators make has the timeouts that a replica would ask for', () => {
  const settings = operations.matchAll(/alter role shop_api set (\w+) = '(\w+)'/g)
  expect(Object.fromEntries([...settings].map(([, name, value]) => [name, value]))).toMatchObject({
    lock_timeout: `${requestTimeouts.lockMs}ms`,
    statement_timeout: `${requestTimeouts.statementMs / 1_000}s`,
    idle_in_transaction_session_timeout: `${requestTimeouts.idleTransactionMs / 1_000}s`,
  })
})
