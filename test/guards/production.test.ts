import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { version } from '../../src/config/projectRoot.ts'
import { errorTable } from '../../src/domain/errors.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

interface Service {
  readonly image: string
  readonly build?: { readonly args: Readonly<Record<string, string>> }
  readonly environment?: Readonly<Record<string, unknown>>
  readonly mem_limit?: string
  readonly cpus?: number
  readonly pids_limit?: number
}
const { services } = parse(read('docker-compose.yml'), { merge: true }) as {
  services: Readonly<Record<string, Service>>
}

describe('the container image', () => {
  it('has the version of package.json in the compose file, Dockerfile, clients and changelog', () => {
    const tag = `rental-booking-api:${version}`
    for (const name of ['postgres-image', 'postgres', 'backup', 'restored'])
      expect(services[name]?.image).toBe(`rental-postgres:${version}-\${POSTGRES_VERSION:-17}`)
    expect(services['image']?.image).toBe(tag)
    expect(services['image']?.build?.args['VERSION']).toBe(version)
    expect(services['api-1']?.image).toBe(`\${IMAGE:-${tag}}`)
    expect(read('Dockerfile')).toContain(`ARG VERSION=${version}\n`)
    for (const client of ['typescript', 'widget'])
      expect(JSON.parse(read(`clients/${client}/package.json`)).version).toBe(version)
    expect(read('CHANGELOG.md')).toContain(`\n## ${version}\n`)
  })

  it('builds images only in services that never run', () => {
    const building = Object.entries(services).filter(([, { build }]) => build !== undefined)
    expect(building.map(([name]) => name)).toEqual(['image', 'postgres-image'])
  })

  it('runs as user 1000 with only the files that package.json lists', () => {
    const [last = ''] = read('Dockerfile')
      .split(/^FROM /m)
      .slice(-1)
    expect(last.match(/^USER .*$/gm)).toEqual(['USER 1000:1000'])
    const copied = [...last.matchAll(/^COPY (?:--\S+ )*(.*) \S+$/gm)].flatMap(([, paths = '']) =>
      paths.split(' ').map((path) => path.replace(/^\/app\//, '')),
    )
    const { files } = JSON.parse(read('package.json'))
    const besides = ['LICENSE', 'node_modules', 'package.json', 'sbom.json']
    expect(copied.sort()).toEqual([...files, ...besides].sort())
    expect(files).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/secrets|\.env|^\.|\*/)]),
    )
  })

  it('makes files of a checkout readable for every user, whatever the umask', () => {
    const [last = ''] = read('Dockerfile')
      .split(/^FROM /m)
      .slice(-1)
    const copied = [...last.matchAll(/^COPY (.*) \S+$/gm)].map(([, from = '']) => from)
    // Files that the build has created are readable.
    const fromCheckout = copied.filter((from) => !/^--from/.test(from) || from.includes('/src/'))
    expect(fromCheckout.length).toBeGreaterThan(3)
    for (const from of fromCheckout) expect(from).toContain('--chmod=755')
  })

  it('runs the command of `npm start` in production mode and requires an operator name', () => {
    const file = read('Dockerfile')
    const { scripts, bin, allowScripts, private: isPrivate } = JSON.parse(read('package.json'))
    expect(isPrivate).toBe(true)
    // No dependency may run install scripts.
    expect(Object.values(allowScripts)).not.toContain(true)
    const [, command = '[]'] = /^CMD (.*)$/m.exec(file) ?? []
    expect(scripts.start).toBe(`npm run -s build && exec ${JSON.parse(command).join(' ')}`)
    expect(scripts.rental).toContain(`; node ${bin.rental}`)
    expect(file).toContain(`ln -s /app/${bin.rental} /usr/local/bin/rental`)
    // `;` would start the server after a failed build.
    expect(`${scripts.build} ${scripts.start}`).not.toContain(';')
    // The container listens on every address; the network around it limits access.
    expect(file).toMatch(/^ENV NODE_ENV=production HOST=0\.0\.0\.0 PORT=\d+ RENTAL_OPERATOR=""$/m)
    expect(file).toMatch(/^STOPSIGNAL SIGTERM$/m)
    const [, dependencies = ''] = file.split(/^FROM .* AS .*$/m)
    expect(dependencies).toContain(' --omit=dev --omit=optional --ignore-scripts ')
    // The image contains no package managers.
    const [, removed = ''] = /rm -rf ([^&]*)/.exec(file) ?? []
    for (const path of ['lib/node_modules', 'bin/npm', 'bin/npx', 'bin/corepack', 'bin/yarn*'])
      expect(removed.split(/[\s\\]+/)).toContain(`/usr/local/${path}`)
  })
})

it('every client package includes the files it exports', () => {
  for (const client of ['typescript', 'widget']) {
    const { files, exports, scripts, sideEffects } = JSON.parse(
      read(`clients/${client}/package.json`),
    )
    expect([client, scripts.prepack]).toEqual([client, expect.stringContaining('build')])
    // The widget is imported for its side effect, the custom element.
    expect(sideEffects).toBe(client === 'widget')
    const { types, default: code } = exports['.']
    for (const path of [types, code]) {
      const [first = ''] = path.replace('./', '').split('/')
      expect([client, files]).toEqual([client, expect.arrayContaining([first])])
    }
  }
})

it('every service limits memory, CPUs and processes', () => {
  for (const [name, service] of Object.entries(services))
    if (!name.endsWith('image'))
      expect([name, service]).toEqual([
        name,
        expect.objectContaining({
          mem_limit: expect.anything(),
          cpus: expect.anything(),
          pids_limit: expect.anything(),
        }),
      ])
})

it('the proxy error responses have the format of the API and advise a retry of temporary errors', () => {
  const files = read('docker/haproxy/haproxy.cfg').matchAll(/^ +errorfile (\d+) (\S+)$/gm)
  const statuses: Readonly<Record<string, number>> = { 500: 503, 501: 400, 502: 503, 504: 503 }
  const responses = [...files].map(([, status = '', file = '']) => [status, file] as const)
  expect(responses.map(([status]) => status)).toEqual(
    expect.arrayContaining(['400', '408', '413', '500', '502', '503', '504']),
  )
  for (const [status, file] of responses) {
    const [head = '', body = ''] = read(`docker/haproxy/${file}`).split(/\r?\n\r?\n/)
    expect([status, head]).toEqual([
      status,
      expect.stringMatching(new RegExp(`^HTTP/1.1 ${statuses[status] ?? status} `)),
    ])
    expect(head).toContain(`content-length: ${Buffer.byteLength(body)}`)
    expect(head).toMatch(/^access-control-allow-origin: \*\r?$/m)
    expect(/^retry-after: [1-5]\r?$/m.test(head)).toBe(status.startsWith('5') && status !== '501')
    // A retry with another key would create another booking.
    if (head.includes(' 503 ')) expect(body).toMatch(/Retry .* with the same Idempotency-Key/)
    expect(JSON.parse(body)).toEqual({
      error: { code: expect.toSatisfy((code) => code in errorTable), message: expect.any(String) },
    })
  }
})

it('the proxy waits longer than the API timeout and retries only GET requests', () => {
  const config = read('docker/haproxy/haproxy.cfg').replace(/^\s*#.*$/gm, '')
  const numberAfter = (words: string) => Number(new RegExp(`${words} (\\d+)`).exec(config)?.[1])
  // The longest waits of docs/reliability.md, which is also how long a stopping replica finishes requests.
  const apiSeconds = 6
  expect(numberAfter('timeout server')).toBeGreaterThan(apiSeconds)
  expect(numberAfter('timeout client')).toBeGreaterThan(numberAfter('timeout server'))
  expect(numberAfter('timeout queue')).toBeLessThan(apiSeconds)
  // A draining replica serves requests for three more seconds.
  expect(config).toContain('check inter 1s ')
  expect(numberAfter('fall')).toBeLessThan(3)
  // Each attempt goes to another replica.
  expect(numberAfter('option redispatch')).toBe(1)
  expect(config).toContain('\n    http-request disable-l7-retry unless METH_GET\n')
  expect(numberAfter('sc0_conn_cur gt')).toBeLessThanOrEqual(numberAfter('maxconn') / 10)
})

it('the example for nginx overwrites every header that replicas believe from a proxy', () => {
  const config = read('examples/server/nginx.conf')
  const set = Array.from(
    config.matchAll(/proxy_set_header (\S*forwarded\S*) /gi),
    ([, name]) => name,
  )
  expect(set.sort()).toEqual([
    'Forwarded',
    'X-Forwarded-For',
    'X-Forwarded-Host',
    'X-Forwarded-Proto',
  ])
})
