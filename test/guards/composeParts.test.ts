import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import {
  citus,
  commandOf,
  composed,
  environmentOf,
  fileAt,
  files,
  isFile,
  main,
  mountsIn,
  mountsOf,
  read,
  root,
  running,
} from './composed.ts'

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

  it('lets the server and who makes its roles at the socket of its superuser, and nobody else', () => {
    const having = mountsIn(main).filter(({ source }) => source === 'socket')
    expect(having.map(({ service }) => service).sort()).toEqual(['postgres', 'roles'])
    // Whoever the image’s server runs as makes it.
    expect(main.volumes?.['socket']).toMatchObject({
      driver_opts: { type: 'tmpfs', o: expect.stringMatching(/\bmode=1777$/) },
    })
  })

  it('starts a database server alone on its volume', () => {
    const serving = mountsIn(main).filter(({ target }) => target === '/var/lib/postgresql/data')
    expect(serving.map(({ service }) => service)).toEqual(['postgres', 'restored'])
    for (const { service } of serving) {
      const [shell, first = ''] = commandOf(main.services[service])
      expect([service, shell, fileAt(service, first)]).toEqual([
        service,
        'bash',
        './docker/postgres/alone.sh',
      ])
    }
  })

  it('gives a container no secret that it does not use', () => {
    for (const [name, service] of running) {
      const scripts = mountsOf(name, service).flatMap(({ source }) =>
        /^\.\/docker\/(postgres|backup)$/.test(source)
          ? readdirSync(join(root, source)).map((file) => read(join(source, file)))
          : [],
      )
      const told = [JSON.stringify(service.environment), ...commandOf(service), ...scripts].join()
      const unused = (service.secrets ?? []).filter(
        (each) => !new RegExp(`\\b${each}\\b`).test(told),
      )
      expect([name, unused]).toEqual([name, []])
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
    const { API_1_MAX: first, API_2_MAX: most } = environmentOf('proxy')
    expect(Number(first)).toBeGreaterThan(1)
    expect(read('docs/operations.md')).toContain(`The proxy finds up to ${most} of them by name`)
  })

  it('gives each replica of a cluster a worker of its own, and the coordinator for the rest', () => {
    for (const number of [1, 2])
      expect(citus.services[`api-${number}`]?.environment).toEqual({
        DATABASE_URL_FILE: `/run/secrets/database_worker_${number}_url`,
        DATABASE_DIRECT_URL_FILE: '/run/secrets/database_url',
      })
    expect(read('docker/postgres/nodes.sql')).toContain("array['node-1', 'node-2']")
  })

  it('sets on each node of a cluster what the page of distribution asks for', () => {
    const settings = Object.fromEntries(
      commandOf(citus.services['postgres']).map(
        (setting) => setting.split('=') as [string, string],
      ),
    )
    const page = read('docs/scaling.md').replace(/\s+/g, ' ')
    expect(page).toContain('`max_prepared_transactions` at `max_connections` or more')
    expect(Number(settings['max_prepared_transactions'])).toBeGreaterThanOrEqual(
      Number(settings['max_connections']),
    )
    const [, wait] = /`citus\.node_connection_timeout` to (\d+ ms)/.exec(page) ?? []
    expect(settings['citus.node_connection_timeout']).toBe(wait?.replace(' ', ''))
    const [, level] = /`wal_level = (\w+)`/.exec(page) ?? []
    expect(settings['wal_level']).toBe(level)
    // Who may come in to a database is the same on every node.
    const [, closed] =
      /revoke all on database rental, (.*) from public;/.exec(read('docker/postgres/roles.sql')) ??
      []
    expect(read('docker/postgres/nodes.sql')).toContain(
      `'revoke all on database ${closed} from public'`,
    )
  })
})
