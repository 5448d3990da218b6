import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { type Composed, citus, commandOf, environmentOf, main, read, running } from './composed.ts'

/** For whom each service waits: `!` until it has ended well, `+` until it is healthy. */
const orderIn = ({ services }: Composed) => {
  const signs: Readonly<Record<string, string>> = {
    service_completed_successfully: '!',
    service_healthy: '+',
    service_started: '',
  }
  const waiting = Object.entries(services).flatMap(([name, { depends_on }]) =>
    depends_on === undefined
      ? []
      : [
          [
            name,
            Array.isArray(depends_on)
              ? depends_on.join(' ')
              : Object.entries(depends_on)
                  .map(([other, { condition }]) => other + signs[condition])
                  .join(' '),
          ],
        ],
  )
  return Object.fromEntries(waiting)
}

it('each node of a cluster knows each other by its address, and has what makes it one', () => {
  const nodes = ['postgres', 'worker-1', 'worker-2'].map((name) => citus.services[name])
  const at = nodes.map((node) => node?.networks?.['nodes']?.ipv4_address)
  const names = ['coordinator', 'node-1', 'node-2']
  for (const node of nodes) {
    expect(node?.extra_hosts).toEqual(names.map((name, index) => `${name}:${at[index]}`))
    expect(commandOf(node)).toEqual(
      expect.arrayContaining([
        'shared_preload_libraries=citus',
        'citus.node_conninfo=sslmode=disable',
      ]),
    )
  }
  expect(read('docker/postgres/nodes.sql')).toContain(
    "citus_set_coordinator_host('coordinator', 5432)",
  )
})

describe('a compose file', () => {
  it('starts nobody before whom it needs: a database that answers, its roles, its tables', () => {
    expect(orderIn(main)).toEqual({
      'api-1': 'migrate! postgres+ redis+',
      'api-2': 'migrate! postgres+ redis+',
      roles: 'postgres+',
      migrate: 'roles!',
      proxy: 'api-1 api-2',
      backup: 'migrate! postgres+',
      'backup-audit': 'backup',
    })
    expect(orderIn(citus)).toEqual({
      nodes: 'postgres+ worker-1+ worker-2+',
      roles: 'nodes!',
      distribute: 'migrate!',
      'api-1': 'distribute!',
      'api-2': 'distribute!',
    })
  })

  it('ends nobody by force before it is done', () => {
    const seconds = (name: string) =>
      Number.parseFloat(main.services[name]?.stop_grace_period ?? '10')
    const [, ofProxy] = /hard-stop-after (\d+)s/.exec(read('docker/haproxy/haproxy.cfg')) ?? []
    expect(seconds('proxy')).toBeGreaterThan(Number(ofProxy))
    // A last checkpoint of all that is in memory.
    for (const name of ['postgres', 'restored']) expect(seconds(name)).toBeGreaterThanOrEqual(60)
  })

  it('runs no program as root that could be another, and each beside what hears its signals', () => {
    const users = running.map(([name, service]) => [name, service.user])
    expect(Object.fromEntries(users.filter(([, user]) => user))).toEqual({
      ...{ roles: 'postgres', postgres: 'postgres', backup: 'postgres', restored: 'postgres' },
      ...{ redis: '999:999', proxy: 'haproxy' },
    })
    for (const [name, service] of running)
      expect([name, service]).toMatchObject([name, { init: true }])
  })

  it('publishes what callers and staff ask for, and nothing that is for the inside', () => {
    const published = running.flatMap(([name, { ports = [] }]) =>
      ports.map((port) => `${name} ${typeof port === 'string' ? port : port.target}`),
    )
    const [, bind] = /:(\d+)$/.exec(environmentOf('proxy')['BIND'] ?? '') ?? []
    // Where Grafana listens by itself.
    expect(published).toEqual([`proxy ${bind}`, 'grafana 3000'])
    expect(environmentOf('proxy')['INSIDE_BIND']).not.toContain(bind)
  })

  it('names the database and its superuser as those do who come to it', () => {
    const { POSTGRES_USER: superuser, POSTGRES_DB: database } = environmentOf('postgres')
    expect(read('docker/postgres/roles.sh')).toContain(
      `--username ${superuser} --dbname ${database} `,
    )
    expect(commandOf(citus.services['nodes'])).toEqual(
      expect.arrayContaining([`--username=${superuser}`, `--dbname=${database}`]),
    )
    for (const file of ['pg_hba.conf', 'pg_hba.nodes.conf'])
      expect(read(`docker/postgres/${file}`)).toMatch(
        new RegExp(`^local +all +${superuser} +trust$`, 'm'),
      )
    expect(read('docker/secrets.sh')).toContain(`@postgres:5432/${database}"`)
    expect(environmentOf('postgres-exporter')['DATA_SOURCE_URI']).toBe(
      `postgres:5432/${database}?sslmode=disable`,
    )
    expect(environmentOf('redis-exporter')['REDIS_ADDR']).toBe('redis://redis:6379')
    expect(read('docker/secrets.sh')).toContain('@redis:6379"')
  })

  it('asks the audit of backups where it listens, and Redis as whom it knows', () => {
    const testOf = (name: string) => main.services[name]?.healthcheck?.test.join(' ')
    const [, port] = /^const port = (\d+)$/m.exec(read('docker/backup/audit.mjs')) ?? []
    expect(testOf('backup-audit')).toMatch(new RegExp(`/dev/tcp/127\\.0\\.0\\.1/${port}$`))
    const [, user, password] = /--user (\w+) --pass (\w+) /.exec(testOf('redis') ?? '') ?? []
    expect(read('docker/secrets.sh')).toContain(`user ${user} on >${password} -@all +ping\\n`)
    expect(testOf('backup')).toBe('CMD test -d /var/lib/postgresql/status')
  })
})

it('Prometheus asks often enough for the shortest alert, by names, and Grafana asks Prometheus', () => {
  const { global, scrape_configs: jobs } = parse(read('docker/monitoring/prometheus.yml'))
  const lasting = [...read('examples/alerts.yml').matchAll(/for: (\d+)s/g)].map(([, n]) =>
    Number(n),
  )
  for (const every of ['scrape_interval', 'evaluation_interval'])
    expect([every, global[every]]).toEqual([every, expect.stringMatching(/^\d+s$/)])
  for (const every of ['scrape_interval', 'evaluation_interval'])
    expect(Number.parseInt(global[every], 10)).toBeLessThanOrEqual(Math.min(...lasting))
  const [{ type, refresh_interval: refresh }] = jobs[0].dns_sd_configs
  expect([type, refresh]).toEqual(['A', '5s'])
  const [source] = parse(read('docker/monitoring/grafana/provisioning.yml')).datasources
  // Where Prometheus listens by itself.
  expect(source).toMatchObject({ type: 'prometheus', url: 'http://prometheus:9090' })
})

it('the image has the packages that serve, without those that build or test', () => {
  const file = read('Dockerfile')
  for (const [stage, path] of [
    ['dependencies', 'node_modules'],
    ['build', 'dist'],
    ['build', 'clients/widget/dist'],
  ])
    expect(file).toContain(`COPY --from=${stage} /app/${path} ${path}\n`)
})
