import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useTestApp } from '../helpers/app.ts'
import { aGroup, aKey, anExtra, aTenant } from '../helpers/seed.ts'
import { snippetsOf } from '../helpers/snippets.ts'
import { installClient, type Project } from './installed.ts'

const server = useTestApp()
const apiUrl = () => `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`
const require = createRequire(import.meta.url)
const vite = join(
  dirname(createRequire(require.resolve('vitest/package.json')).resolve('vite/package.json')),
  'bin/vite.js',
)
/** The compiler settings of create-next-app that affect package resolution. */
const settingsOfNext = {
  target: 'ES2017',
  lib: ['dom', 'dom.iterable', 'esnext'],
  strict: true,
  noEmit: true,
  module: 'esnext',
  moduleResolution: 'bundler',
  isolatedModules: true,
  jsx: 'preserve',
  types: [],
}
const typeOfClient =
  "console.log(typeof createClient({ baseUrl: 'http://x', apiKey: 'k' }).getBooking)"
let project: Project

beforeAll(async () => {
  project = await installClient(apiUrl(), { private: true })
})
afterAll(() => project.remove())

describe('packed client', () => {
  it('packs ES modules with types and source maps, and no dependencies', async () => {
    const folder = join(project.folder, 'node_modules/@rental-booking/client')
    const files = await readdir(join(folder, 'dist'))
    const modules = files.filter((file) => file.endsWith('.js'))
    expect(modules).toContain('index.js')
    for (const file of modules) {
      const map = JSON.parse(await readFile(join(folder, 'dist', `${file}.map`), 'utf8'))
      expect(files).toContain(file.replace(/js$/, 'd.ts'))
      for (const source of map.sources) await readFile(join(folder, 'dist', source))
    }
    expect(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))).not.toHaveProperty(
      'dependencies',
    )
  })

  it('loads the packed client with import and with require in Node', async () => {
    const source = "from '@rental-booking/client'"
    await project.write('plain.mjs', `import { createClient } ${source}\n${typeOfClient}`)
    const required = "const { createClient } = require('@rental-booking/client')"
    await project.write('old.cjs', `${required}\n${typeOfClient}`)
    expect(await project.node('plain.mjs')).toBe('function\n')
    expect(await project.node('old.cjs')).toBe('function\n')
  })

  it('compiles the packed client with the settings of Next.js', async () => {
    const imports = "import { createClient, type Booking } from '@rental-booking/client'\n"
    const client = "const client = createClient({ baseUrl: '/', apiKey: 'k' })\n"
    const call = "const made: Promise<Booking> = client.getBooking('b')\nexport default made\n"
    const wrong = "// @ts-expect-error\nconst status: 'lost' = (await made).status\nvoid status\n"
    await project.write('page.tsx', imports + client + call + wrong)
    await project.compile(settingsOfNext, ['page.tsx'])
  })

  it('bundles the packed client completely with Vite', async () => {
    const source = "import { createClient } from '@rental-booking/client'\n"
    await project.write('index.html', '<script type="module" src="./site.js"></script>')
    await project.write('site.js', source + typeOfClient)
    await project.node(vite, 'build', '--logLevel', 'error')
    const assets = join(project.folder, 'dist/assets')
    const [bundle = ''] = await readdir(assets)
    const text = await readFile(join(assets, bundle), 'utf8')
    expect(text).toContain('/api/v1')
    expect(text).not.toContain('@rental-booking/client')
  })
})

describe('packed widget', () => {
  it('has the types of the component in its README, with the settings of React', async () => {
    const readme = 'clients/widget/README.md'
    const [[component = ''], [reference = '']] = await Promise.all([
      snippetsOf(readme, 'jsx'),
      snippetsOf(readme, 'ts'),
    ])
    const typed = component.replace('{ onBooked }', '$&: { onBooked: (id: string) => void }')
    const wrong =
      '// @ts-expect-error: has no key\nexport const wrong = <rental-booking base-url="/" />'
    await project.write('rental.d.ts', reference)
    await project.write('Booking.tsx', `${typed}\n${wrong}`)
    const types = dirname(require.resolve('@types/react/package.json'))
    const paths = { react: [types], 'react/*': [`${types}/*`] }
    const settings = {
      ...settingsOfNext,
      jsx: 'react-jsx',
      paths,
      exactOptionalPropertyTypes: true,
    }
    await project.compile(settings, ['rental.d.ts', 'Booking.tsx'])
  })
})

describe('client README', () => {
  it('runs the snippets of the client README in order, with only the address, key and deadline replaced', async () => {
    const { database } = server.deps
    const tenantId = await aTenant(database)
    await aGroup(database, tenantId)
    await anExtra(database, tenantId)
    const { key } = await aKey(database, tenantId)
    const text = (await snippetsOf('clients/typescript/README.md', 'ts')).join('\n')
    const here = text
      .replaceAll('https://api.example.com', apiUrl())
      .replaceAll('pk_live_...', key)
      .replaceAll('deadlineSeconds: 600', 'deadlineSeconds: 0')
    await project.write('readme.mts', here)
    const settings = { target: 'es2022', lib: ['es2022', 'dom'], module: 'nodenext', types: [] }
    await project.compile({ ...settings, strict: true }, ['readme.mts'])
    expect(await project.node('readme.mjs')).toMatch(/^pending\n$/)
    const { rows } = await database.pool.query('select status from bookings')
    expect(rows).toEqual([{ status: 'pending' }])
  })
})
