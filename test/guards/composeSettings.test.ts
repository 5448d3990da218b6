import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { variables } from '../../src/config/environment.ts'
import {
  type Composed,
  citus,
  commandOf,
  composed,
  environmentOf,
  files,
  main,
  read,
  running,
  type Service,
} from './composed.ts'

describe('the isolation of a compose file', () => {
  it.each(files)('by default publishes ports only on 127.0.0.1 in %s', (file) => {
    for (const [name, { ports = [] }] of Object.entries(composed(file).services))
      for (const port of ports)
        expect([name, typeof port === 'string' ? port : port.host_ip]).toEqual([
          name,
          expect.stringMatching(/^127\.0\.0\.1\b/),
        ])
  })

  it.each(files)('assigns no host address to internal networks in %s', (file) => {
    for (const network of Object.values(composed(file).networks ?? {}))
      if (network?.internal)
        expect(network.driver_opts).toEqual({ 'com.docker.network.bridge.inhibit_ipv4': 'true' })
  })

  it.each(files)('contains no password except that of the read-only exporter in %s', (file) => {
    const { services } = parse(read(file), { merge: true }) as Composed
    for (const [name, { environment = {} }] of Object.entries(services))
      for (const [variable, value] of Object.entries(environment))
        if (/PASS|SECRET|KEY/.test(variable) && name !== 'redis-exporter')
          expect([name, variable, value]).toEqual([
            name,
            variable,
            expect.stringMatching(/^(\/run\/secrets\/|\$\{\w+:\?)/),
          ])
  })

  it('connects the exporters as users with read-only rights', () => {
    const { REDIS_USER: user, REDIS_PASSWORD: password } = environmentOf('redis-exporter')
    expect(read('docker/secrets.sh')).toContain(`user ${user} on >${password} -@all +ping `)
    const { DATA_SOURCE_USER: monitor } = environmentOf('postgres-exporter')
    expect(read('docker/postgres/roles.sh')).toContain(`\\set monitor_user ${monitor}\\`)
  })

  it('logs no statements with personal data on any node, and limits log sizes', () => {
    for (const service of [main.services['postgres'], citus.services['postgres']])
      expect(` ${commandOf(service).join(' ')} `).toMatch(
        / log_min_error_statement=panic -c log_parameter_max_length_on_error=0 -c log_error_verbosity=terse /,
      )
    for (const [name, { logging }] of running) {
      expect([name, logging?.driver]).toEqual([name, 'json-file'])
      expect([name, Number(logging?.options['max-file'])]).not.toEqual([name, 0])
      expect([name, logging?.options['max-size']]).toEqual([name, expect.stringMatching(/^\d+m$/)])
    }
  })

  it('trusts only the superuser at the local socket, and allows no replication', () => {
    const rulesOf = (service?: Service) => {
      const [, file = ''] = / hba_file=\/docker\/(\S+)/.exec(commandOf(service).join(' ')) ?? []
      const lines = read(`docker/postgres/${file}`).match(/^(?:local|host).*/gm) ?? []
      return lines.map((line) => line.replace(/ +/g, ' '))
    }
    const rules = rulesOf(main.services['postgres'])
    expect(rules.filter((rule) => / trust$/.test(rule))).toEqual(['local all rental trust'])
    for (const rule of [...rules, ...rulesOf(citus.services['postgres'])])
      expect(rule).not.toMatch(/^host replication /)
  })
})

describe('the settings of a compose file', () => {
  const fixed =
    /^((DATABASE|REDIS)_URL|SESSION_SECRETS|DATABASE_DIRECT_URL|TRUST_PROXY|NODE_ENV|HOST|PORT|DATA_DIR|DEMO|DEMO_PORT|npm_.*)$/

  it('passes every variable of the server to the replicas (update with `npm run openapi`)', async () => {
    const passed = variables.filter((name) => !fixed.test(name)).map((name) => `    ${name}:\n`)
    const file = read('docker-compose.yml').replace(
      /(?<= {4}TRUST_PROXY: .*\n)(?: {4}\w+:\n)*(?= {4}OTEL_SERVICE_NAME:\n)/,
      passed.join(''),
    )
    await expect(file).toMatchFileSnapshot('../../docker-compose.yml')
  })

  it('uses every other documented variable', () => {
    const named = [...read('docs/configuration.md').matchAll(/^\| ((?:`[A-Z\d_]+` ?)+)\|/gm)]
    const names = named.flatMap(([, cell = '']) => cell.match(/[A-Z\d_]+/g) ?? [])
    const others = names.filter((name) => !variables.includes(name))
    expect(others.length).toBeGreaterThan(20)
    const raw = files.map(read).join('\n')
    for (const name of others)
      expect([name, raw]).toEqual([
        name,
        expect.stringMatching(new RegExp(`^ +${name}:$|\\$\\{${name}:[-?]`, 'm')),
      ])
  })

  it('limits memory to at least twice what Redis and PostgreSQL are configured to use', () => {
    const megabytes = (size = '') => Number.parseFloat(size) * (/g/i.test(size) ? 1024 : 1)
    const settingOf = (name: string, pattern: RegExp) =>
      megabytes(pattern.exec(commandOf(main.services[name]).join(' '))?.[1])
    for (const [name, taken] of [
      ['redis', settingOf('redis', /--maxmemory (\w+)/)],
      ['postgres', settingOf('postgres', /shared_buffers=(\w+)/)],
    ] as const)
      expect([name, megabytes(main.services[name]?.mem_limit) / taken >= 2]).toEqual([name, true])
  })

  it('never pulls locally built images, and enables data checksums', () => {
    for (const [name, { image = '', pull_policy }] of running)
      if (image.startsWith('rental-')) expect([name, pull_policy]).toEqual([name, 'never'])
    expect(environmentOf('postgres')['POSTGRES_INITDB_ARGS']).toBe('--data-checksums')
  })
})
