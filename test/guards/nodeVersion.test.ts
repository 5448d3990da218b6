import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastify from 'fastify'
import { minVersion, satisfies } from 'semver'
import { expect, it } from 'vitest'

const read = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../..', name), 'utf8'))

it('no package needs a newer Node than the oldest we promise', () => {
  const oldest = minVersion(read('package.json').engines.node)?.version ?? ''
  const packages: Record<string, { engines?: { node?: string } }> =
    read('package-lock.json').packages
  const refusing = Object.entries(packages).filter(
    ([, { engines }]) => engines?.node !== undefined && !satisfies(oldest, engines.node),
  )
  expect(oldest).toBe('20.19.0')
  expect(refusing.map(([path]) => path)).toEqual([])
})

it("Fastify's own client sends cookies with the release of `cookie` that it is given", async () => {
  const app = fastify()
  app.get('/', async ({ headers }) => headers)
  const answer = await app.inject({ url: '/', cookies: { a: 'b c', d: 'é' } })
  expect(answer.json().cookie).toBe('a=b%20c; d=%C3%A9')
})
