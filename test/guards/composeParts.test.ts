import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

interface Service {
  readonly image?: string
  readonly pull_policy?: string
  readonly scale?: number
  readonly command?: readonly string[]
  readonly entrypoint?: readonly string[]
  readonly volumes?: readonly (string | { readonly target: string; readonly type: string })[]
  readonly networks?: Readonly<Record<string, { readonly aliases?: readonly string[] } | null>>
  readonly environment?: Readonly<Record<string, string | null>>
  readonly ports?: readonly (string | { readonly host_ip?: string })[]
  readonly mem_limit?: string
  readonly logging?: {
    readonly driver: string
    readonly options: Readonly<Record<'max-size' | 'max-file', string>>
  }
  readonly healthcheck?: { readonly test: readonly string[] }
}
interface Network {
  readonly internal?: boolean
  readonly driver_opts?: Readonly<Record<string, string>>
}
interface Composed {
  readonly services: Readonly<Record<string, Service>>
  readonly networks?: Readonly<Record<string, Network | null>>
  readonly volumes?: Readonly<Record<string, unknown>>
  readonly secrets?: Readonly<Record<string, { readonly file: string }>>
}
/** Variables as they are where nobody sets them. */
const withDefaults = (text: string) => text.replace(/\$\{\w+:-([^}]*)\}/g, '$1')
const composed = (file: string) =>
  parse(withDefaults(read(file)), { merge: true }) as unknown as Composed
const files = ['yml', 'citus.yml', 'dev.yml'].map((end) => `docker-compose.${end}`)
const main = composed('docker-compose.yml')
const citus = composed('docker-compose.citus.yml')
const running = Object.entries(main.services).filter(([, { scale }]) => scale !== 0)
const environmentOf = (name: string) => main.services[name]?.environment ?? {}
const commandOf = ({ entrypoint = [], command = [] }: Service = {}) => [...entrypoint, ...command]

interface Mount {
  readonly service: string
  readonly source: string
  readonly target: string
  readonly mode: string
}
const mountsOf = (name: string, { volumes = [] }: Service): Mount[] =>
  volumes
    .filter((volume) => typeof volume === 'string')
    .map((volume) => {
      const [source = '', target = '', mode = 'rw'] = volume.split(':')
      return { service: name, source, target, mode }
    })
const mountsIn = ({ services }: Composed) =>
  Object.entries(services).flatMap(([name, service]) => mountsOf(name, service))
const isFile = ({ source }: Mount) => /^\.?\//.test(source)

/** What is there under a path of a container: a file of this project; undefined: in the image. */
function fileAt(service: string, path: string): string | undefined {
  const mount = mountsIn(main).find(
    (each) => each.service === service && isFile(each) && `${path}/`.startsWith(`${each.target}/`),
  )
  return mount && `${mount.source}${path.slice(mount.target.length)}`
}

describe('what the containers of a compose file share', () => {
  it.each(files)('gives each secret the file of its name: %s', (file) => {
    for (const [name, secret] of Object.entries(composed(file).secrets ?? {}))
      expect(secret.file).toBe(`./secrets/${name}`)
  })

  it.each(files)('has each volume written by one service, or by whom it is for: %s', (file) => {
    const { volumes = {} } = composed(file)
    const mounts = mountsIn(composed(file)).filter((mount) => !isFile(mount))
    expect([...new Set(mounts.map(({ source }) => source))].sort()).toEqual(
      Object.keys(volumes).sort(),
    )
    for (const name of Object.keys(volumes).filter((each) => each !== 'socket')) {
      const writing = mounts.filter(({ source, mode }) => source === name && mode !== 'ro')
      expect([name, writing.length]).toEqual([name, 1])
    }
  })

  it('lets nobody change a file of this project, and each of them is there', () => {
    for (const mount of mountsIn(main).filter(isFile))
      expect([mount, existsSync(join(root, mount.source))]).toEqual([
        { ...mount, mode: 'ro' },
        true,
      ])
  })

  it('keeps what has to last in volumes, where each program has it', () => {
    const kept = (name: string) =>
      mountsOf(name, main.services[name] ?? {}).flatMap((mount) =>
        isFile(mount) || mount.source === 'socket' ? [] : [mount.target],
      )
    expect(kept('postgres')).toEqual(['/var/lib/postgresql/data'])
    expect(kept('restored')).toEqual(['/backups', ...kept('postgres')])
    expect(kept('redis')).toEqual(['/data'])
    expect(kept('grafana')).toEqual(['/var/lib/grafana'])
    expect(commandOf(main.services['prometheus'])).toContain(
      `--storage.tsdb.path=${kept('prometheus')[0]}`,
    )
    const [, here] = /^here=(.*)$/m.exec(read('docker/backup/backup.sh')) ?? []
    expect(kept('backup')).toEqual([here])
    for (const name of ['worker-1', 'worker-2'])
      expect(mountsOf(name, citus.services[name] ?? {})).toMatchObject([
        { source: name, target: '/var/lib/postgresql/data' },
      ])
  })

  it('has every file of this project that a container is told to use', () => {
    for (const [name, service] of running) {
      const told = ` ${commandOf(service).join(' ')} `.matchAll(/[ =](\/(?:docker|etc)\/[^ ]+)/g)
      for (const [, path = ''] of told) {
        const file = fileAt(name, path)
        expect([name, path, file && existsSync(join(root, file))]).toEqual([name, path, true])
      }
    }
    const [rules] = parse(read('docker/monitoring/prometheus.yml')).rule_files
    expect(fileAt('prometheus', rules)).toBe('./examples/alerts.yml')
    const [{ options }] = parse(read('docker/monitoring/grafana/dashboards.yml')).providers
    expect(fileAt('grafana', `${options.path}/rental.json`)).toContain('grafana/rental.json')
    const [{ uid }] = parse(read('docker/monitoring/grafana/provisioning.yml')).datasources
    const { panels } = JSON.parse(read('docker/monitoring/grafana/rental.json'))
    for (const { datasource } of panels) expect(datasource.uid).toBe(uid)
    expect(commandOf(main.services['redis']).join(' ')).toContain(
      '--aclfile /run/secrets/redis_acl',
    )
    expect(commandOf(main.services['backup']).at(-1)).toBe('keep')
  })

  it('has Prometheus ask whoever has metrics, and keep them for as long as alerts look back', () => {
    const { scrape_configs: jobs } = parse(read('docker/monitoring/prometheus.yml'))
    const asked = Object.fromEntries(
      jobs.map((job: Record<string, { names?: string[]; targets?: string[]; port?: number }[]>) => {
        const [target] = job['dns_sd_configs'] ?? job['static_configs'] ?? []
        return [
          job['job_name'],
          target?.targets ?? target?.names?.map((n) => `${n}:${target.port}`),
        ]
      }),
    )
    const [, auditPort] = /^const port = (\d+)$/m.exec(read('docker/backup/audit.mjs')) ?? []
    const [, apiPort] = /\bPORT=(\d+)/.exec(read('Dockerfile')) ?? []
    expect(asked).toEqual({
      'rental-api': Object.keys(main.services)
        .filter((n) => /^api-/.test(n))
        .map((n) => `${n}:${apiPort}`),
      haproxy: [`proxy${environmentOf('proxy')['INSIDE_BIND']}`],
      // Where these programs listen by themselves.
      postgres: ['postgres-exporter:9187'],
      redis: ['redis-exporter:9121'],
      backup: [`backup-audit:${auditPort}`],
    })
    for (const name of ['proxy', 'backup-audit', 'postgres-exporter', 'redis-exporter'])
      expect([name, main.services[name]?.networks]).toEqual([
        name,
        expect.arrayContaining(['monitoring']),
      ])
    const days = [...read('examples/alerts.yml').matchAll(/\[(\d+)d\]/g)].map(([, n]) => Number(n))
    const [, kept = ''] = /retention\.time=(\d+)d"/.exec(read('docker-compose.yml')) ?? []
    expect(Number(kept)).toBeGreaterThan(Math.max(...days))
  })

  it('leads the proxy to each replica by a name that only this one has', () => {
    for (const number of [1, 2]) {
      const [host, port] = environmentOf('proxy')[`API_${number}`]?.split(':') ?? []
      expect(read('Dockerfile')).toContain(`PORT=${port} `)
      const called = Object.entries(main.services).filter(([, { networks }]) =>
        networks?.['behind-proxy']?.aliases?.includes(host ?? ''),
      )
      expect(called.map(([name]) => name)).toEqual([`api-${number}`])
    }
  })

  it('gives each replica of a cluster a worker of its own, and the coordinator for the rest', () => {
    for (const number of [1, 2])
      expect(citus.services[`api-${number}`]?.environment).toEqual({
        DATABASE_URL_FILE: `/run/secrets/database_worker_${number}_url`,
        DATABASE_DIRECT_URL_FILE: '/run/secrets/database_url',
      })
    expect(read('docker/postgres/nodes.sql')).toContain("array['node-1', 'node-2']")
  })
})

describe('what a compose file keeps from others', () => {
  it.each(files)('publishes ports on this machine alone, unless it is told: %s', (file) => {
    for (const [name, { ports = [] }] of Object.entries(composed(file).services))
      for (const port of ports)
        expect([name, typeof port === 'string' ? port : port.host_ip]).toEqual([
          name,
          expect.stringMatching(/^127\.0\.0\.1\b/),
        ])
  })

  it.each(files)('has no address in a network that leads nowhere: %s', (file) => {
    for (const network of Object.values(composed(file).networks ?? {}))
      if (network?.internal)
        expect(network.driver_opts).toEqual({ 'com.docker.network.bridge.inhibit_ipv4': 'true' })
  })

  it.each(files)('has no password in it but of who may only look: %s', (file) => {
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

  it('lets those who look in as whoever may only look', () => {
    const { REDIS_USER: user, REDIS_PASSWORD: password } = environmentOf('redis-exporter')
    expect(read('docker/secrets.sh')).toContain(`user ${user} on >${password} -@all +ping `)
    const { DATA_SOURCE_USER: monitor } = environmentOf('postgres-exporter')
    expect(read('docker/postgres/roles.sh')).toContain(`\\set monitor_user ${monitor}\\`)
  })

  it('logs nothing of a statement about people, on any node, and bounds what is logged', () => {
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

  it('trusts nobody without a password but the superuser at the socket, and nodes of a cluster', () => {
    const rulesOf = (service?: Service) => {
      const [, file = ''] = / hba_file=\/docker\/(\S+)/.exec(commandOf(service).join(' ')) ?? []
      const lines = read(`docker/postgres/${file}`).match(/^(?:local|host).*/gm) ?? []
      return lines.map((line) => line.replace(/ +/g, ' '))
    }
    const rules = rulesOf(main.services['postgres'])
    expect(rules.filter((rule) => / trust$/.test(rule))).toEqual(['local all rental trust'])
    for (const rule of [...rules, ...rulesOf(citus.services['postgres'])])
      if (rule.startsWith('host replication ')) expect(rule).toMatch(/ rental_backup all scram/)
  })
})

describe('what a compose file settles', () => {
  it('leaves what the pages name as a variable to whoever sets it', () => {
    const settled =
      /^((DATABASE|REDIS)_URL|SESSION_SECRETS|DATABASE_DIRECT_URL|TRUST_PROXY|NODE_ENV|HOST|PORT|DATA_DIR|DEMO|DEMO_PORT)$/
    const named = [...read('docs/configuration.md').matchAll(/^\| ((?:`[A-Z\d_]+` ?)+)\|/gm)]
    const names = named.flatMap(([, cell = '']) => cell.match(/[A-Z\d_]+/g) ?? [])
    expect(names.length).toBeGreaterThan(50)
    const raw = files.map(read).join('\n')
    for (const name of names.filter((each) => !settled.test(each)))
      expect([name, raw]).toEqual([
        name,
        expect.stringMatching(new RegExp(`^ +${name}:$|\\$\\{${name}:[-?]`, 'm')),
      ])
  })

  it('has memory for what programs are told to take of it', () => {
    const megabytes = (size = '') => Number.parseFloat(size) * (/g/i.test(size) ? 1024 : 1)
    const told = (name: string, pattern: RegExp) =>
      megabytes(pattern.exec(commandOf(main.services[name]).join(' '))?.[1])
    for (const [name, taken] of [
      ['redis', told('redis', /--maxmemory (\w+)/)],
      ['postgres', told('postgres', /shared_buffers=(\w+)/)],
    ] as const)
      expect([name, megabytes(main.services[name]?.mem_limit) / taken >= 2]).toEqual([name, true])
  })

  it('starts what was built, and a database that notices broken pages', () => {
    for (const [name, { image = '', pull_policy }] of running)
      if (image.startsWith('rental-')) expect([name, pull_policy]).toEqual([name, 'never'])
    expect(environmentOf('postgres')['POSTGRES_INITDB_ARGS']).toBe('--data-checksums')
  })
})

describe('a health check', () => {
  /** How it ends, with these programs in place of others. */
  async function exitOf(argv: readonly string[], programs: Readonly<Record<string, string>> = {}) {
    const directory = mkdtempSync(join(tmpdir(), 'health-'))
    try {
      for (const [name, script] of Object.entries(programs))
        writeFileSync(join(directory, name), `#!/bin/sh\n${script}\n`, { mode: 0o700 })
      const env = { ...process.env, PATH: `${directory}:${process.env['PATH']}` }
      const [command = '', ...args] = argv
      return await new Promise<boolean>((done) => {
        execFile(command, args, { env }, (failure) => done(failure === null))
      })
    } finally {
      rmSync(directory, { recursive: true })
    }
  }
  const testOf = (name: string) => {
    const [how, ...argv] = (main.services[name]?.healthcheck?.test ?? []).map((part) =>
      part.replaceAll('$$', '$'),
    )
    return how === 'CMD-SHELL' ? ['sh', '-c', ...argv] : argv
  }
  const [, ofImage = ''] = /^HEALTHCHECK .*\n +CMD (\[.*\])$/m.exec(read('Dockerfile')) ?? []

  it.each([
    ['proxy', testOf('proxy'), '/health'],
    // Alive, not ready: to start a replica again does not bring its database back.
    ['image', JSON.parse(ofImage) as string[], '/healthz'],
  ])('of the %s says yes to 200 alone', async (_, argv, path) => {
    let status = 200
    const asked: (string | undefined)[] = []
    const server = createServer((request, response) => {
      asked.push(request.url)
      response.writeHead(status).end()
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as AddressInfo
    const here = argv.map((part) => part.replace(/8404|\$PORT/, String(port)))
    try {
      expect(await exitOf(here)).toBe(true)
      status = 503
      expect(await exitOf(here)).toBe(false)
      expect(asked).toEqual([path, path])
    } finally {
      await new Promise((done) => server.close(done))
    }
    expect(await exitOf(here)).toBe(false)
  })

  it('of a restored server says yes when it has been restored', async () => {
    const answering = (script: string) => exitOf(testOf('restored'), { psql: script })
    expect(await answering('echo f')).toBe(true)
    expect(await answering('echo t')).toBe(false)
    expect(await answering('exit 2')).toBe(false)
  })

  it('of Redis says yes to PONG alone, and that of PostgreSQL asks by its address', async () => {
    const answering = (script: string) => exitOf(testOf('redis'), { 'redis-cli': script })
    expect(await answering('echo PONG')).toBe(true)
    expect(await answering('echo LOADING Redis is loading')).toBe(false)
    // The socket answers while the server is being set up, too.
    expect(testOf('postgres')).toEqual(expect.arrayContaining(['-h', '127.0.0.1']))
  })
})
