import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
let directory: string

beforeAll(async () => {
  // Inside the project, so that vitest can be imported.
  directory = await mkdtemp(join(root, 'node_modules', '.closing-line-'))
  const reporter = join(root, 'test/helpers/closingLine.ts')
  const config = `import { ClosingLine } from ${JSON.stringify(reporter)}
    export default { test: { include: ['*.test.ts'], reporters: [new ClosingLine()] } }`
  await writeFile(join(directory, 'vitest.config.ts'), config)
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const imports = "import { afterAll, beforeAll, expect, it } from 'vitest'\n"
const fails = "throw new Error('on purpose')"

it.each([
  ['counts a passed test', 'it("a", () => {})', '1 passed, 0 failed'],
  ['counts a failed test', `it("a", () => { ${fails} })`, '0 passed, 1 failed'],
  [
    'counts a skipped test as neither passed nor failed',
    'it("a", () => {}); it.skip("b", () => {})',
    '1 passed, 0 failed',
  ],
  [
    'counts every test of a file whose setup fails as failed',
    `beforeAll(() => { ${fails} }); it("a", () => {}); it("b", () => {})`,
    '0 passed, 2 failed',
  ],
  ['counts a file that cannot be loaded as one failure', fails, '0 passed, 1 failed'],
  [
    'counts a failed teardown as one failure',
    `afterAll(() => { ${fails} }); it("a", () => {})`,
    '1 passed, 1 failed',
  ],
  [
    'counts an unhandled rejection as one failure',
    'it("a", () => { void Promise.reject(new Error("on purpose")) })',
    '1 passed, 1 failed',
  ],
])('%s', async (_title, source, line) => {
  await writeFile(join(directory, 'some.test.ts'), imports + source)
  const { exitCode, output } = await run()
  expect(output.trimEnd().split('\n').at(-1)).toBe(line)
  expect(exitCode === 0).toBe(line.endsWith(' 0 failed'))
})

function run(): Promise<{ exitCode: number; output: string }> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      [vitest, 'run', '--root', directory],
      { env: { PATH: process.env['PATH'], NO_COLOR: '1' } },
      (_error, output) => done({ exitCode: child.exitCode ?? 1, output }),
    )
  })
}
