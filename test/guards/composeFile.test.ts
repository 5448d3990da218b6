import { describe, expect, it } from 'vitest'
import { composed, read } from './composed.ts'

const { services: all, networks = {} } = composed('docker-compose.yml')
/** The services that run, without those that are only built. */
const services = Object.entries(all).filter(([name]) => !name.endsWith('image'))
const commandOf = (name: string) => ` ${all[name]?.command?.join(' ')} `

describe('the compose file', () => {
  it('connects only the network "outside" to the host', () => {
    const open = Object.entries(networks).filter(([, network]) => network?.internal !== true)
    expect(open.map(([name]) => name)).toEqual(['outside'])
  })

  it('gives each container only the networks and secrets it needs', () => {
    const api = 'behind-proxy data monitoring: database_url redis_url session_secrets'
    const given = services.map(([name, { networks = {}, network_mode, secrets = [] }]) => {
      const where = Array.isArray(networks) ? networks : Object.keys(networks)
      return [name, `${[network_mode, ...where].join(' ').trim()}: ${secrets.join(' ')}`.trim()]
    })
    expect(Object.fromEntries(given)).toEqual({
      'api-1': api,
      'api-2': api,
      roles: 'none: database_url database_owner_url database_backup_url database_monitor_password',
      migrate: 'data: database_owner_url',
      postgres: 'data: postgres_password',
      redis: 'data monitoring: redis_acl',
      proxy: 'outside behind-proxy monitoring:',
      backup: 'data: database_backup_url',
      'backup-audit': 'data monitoring: database_backup_url',
      restored: 'data: database_backup_url',
      prometheus: 'monitoring:',
      alertmanager: 'outside monitoring: alert_url watchdog_url',
      'node-exporter': 'monitoring:',
      'blackbox-exporter': 'outside monitoring:',
      grafana: 'outside monitoring: grafana_password',
      'postgres-exporter': 'data monitoring: database_monitor_password',
      'redis-exporter': 'data monitoring:',
    })
    for (const [name, { environment = {}, secrets = [] }] of services)
      for (const value of Object.values(environment))
        if (`${value}`.startsWith('/run/secrets/'))
          expect([name, secrets]).toEqual([
            name,
            expect.arrayContaining([value?.split('/').at(-1)]),
          ])
  })

  it('makes every container read-only and unprivileged, and restarts all except one-off ones', () => {
    const once = ['migrate', 'restored', 'roles']
    for (const [name, service] of services)
      expect([name, service]).toEqual([
        name,
        expect.objectContaining({
          read_only: true,
          cap_drop: ['ALL'],
          security_opt: ['no-new-privileges:true'],
          restart: once.includes(name) ? 'no' : 'unless-stopped',
        }),
      ])
  })

  it('makes the replicas trust only the proxy network', () => {
    const subnet = networks['behind-proxy']?.ipam?.config[0]?.subnet
    for (const name of ['api-1', 'api-2'])
      expect(all[name]?.environment?.['TRUST_PROXY']).toBe(subnet)
  })

  it('starts replicas after the migration and backups without it, gives them time to stop and stops PostgreSQL with SIGINT', () => {
    for (const name of ['api-1', 'api-2']) {
      expect(all[name]?.depends_on?.['migrate']?.condition).toBe('service_completed_successfully')
      // The sum of the shutdown phases: docs/reliability.md.
      expect(Number.parseFloat(all[name]?.stop_grace_period ?? '')).toBeGreaterThan(14.9)
    }
    expect(Object.keys(all['backup']?.depends_on ?? {})).toEqual(['postgres'])
    for (const name of ['postgres', 'restored'])
      expect([name, all[name]?.stop_signal]).toEqual([name, 'SIGINT'])
  })

  it('configures PostgreSQL to archive its log every minute, and limits its connections', () => {
    for (const setting of [
      'archive_mode=on',
      'archive_timeout=60s',
      'archive_command=bash /docker/pgbackrestPush.sh %p',
      'max_connections=100',
    ])
      expect(commandOf('postgres')).toContain(` -c ${setting} `)
  })

  it('configures Redis to keep daily windows across a restart and to evict by TTL when memory is full', () => {
    expect(commandOf('redis')).toContain(' --appendonly yes ')
    expect(commandOf('redis')).toContain(' --maxmemory-policy volatile-ttl ')
    // redis-cli exits with 0 on an error reply, too.
    expect(all['redis']?.healthcheck?.test.at(-1)).toMatch(/ ping \| grep -q PONG$/)
  })
})

describe('the database access rules', () => {
  it.each(['pg_hba.conf', 'pg_hba.nodes.conf'])(
    'rejects the superuser from every address in %s',
    (file) => {
      const lines = read(`docker/postgres/${file}`)
        .split('\n')
        .map((line) => line.split(/ +/))
      const first = lines.find(
        ([type, database, user, address]) =>
          type === 'host' && database === 'all' && user !== 'rental_owner' && address === 'all',
      )
      expect(first).toEqual(['host', 'all', 'rental', 'all', 'reject'])
    },
  )

  it('trusts no network address except those of the internal cluster network', () => {
    const { nodes } = composed('docker/compose.citus.yml').networks ?? {}
    expect(nodes?.internal).toBe(true)
    const trusted = read('docker/postgres/pg_hba.nodes.conf').matchAll(/(\S+\/\d+) +trust$/gm)
    const subnets = nodes?.ipam?.config.map(({ subnet }) => subnet)
    expect([...trusted].map(([, subnet]) => subnet)).toEqual(subnets)
  })

  it('grants no administrative rights, rights on all tables only to rental_api, and four memberships', () => {
    const roles = read('docker/postgres/roles.sql').replace(/^\s*--.*$/gm, '')
    expect(roles).not.toMatch(/\b(superuser|createrole|bypassrls|truncate|grant all)\b/i)
    expect(roles.match(/^grant .* on all tables .* to (?!rental_api;).*$/gm)).toBeNull()
    expect(roles.match(/^grant (?!.* on ).*$/gm)).toEqual([
      'grant rental_api to :"api_user";',
      'grant pg_read_all_data, pg_read_all_settings to :"backup_user";',
      'grant pg_monitor to :"monitor_user";',
    ])
  })
})
