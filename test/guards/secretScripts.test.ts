import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { read, root, useScriptSandbox } from './scriptSandbox.ts'

const { at, put, programs, calls, env } = useScriptSandbox()

describe('docker/secrets.sh', () => {
  const secrets = (...argv: string[]) => {
    const given = { ...env(), SECRETS_DIRECTORY: at('secrets'), ENV_FILE: '/dev/null' }
    execFileSync(join(root, 'docker/secrets.sh'), argv, { env: given })
    return (name: string) => readFileSync(at('secrets', name), 'utf8').trim()
  }

  it('generates random secrets readable in containers, and exporter users with read-only rights', () => {
    const made = secrets()
    for (const name of readdirSync(at('secrets')).filter(
      (each) => !/^(\.|alert|watchdog)/.test(each),
    )) {
      expect([name, statSync(at('secrets', name)).mode & 0o777]).toEqual([name, 0o444])
      expect([name, made(name)]).toEqual([name, expect.stringMatching(/[\da-f]{64}/)])
    }
    for (const line of made('redis_acl').split('\n').slice(1))
      expect(line).toMatch(/^user \w+ on >\w+ -@all \+ping(?! .*(~|&|\+@|\+eval|\+config( |$)))/)
  })

  it('uses the secrets of an .env file and keeps them when run again or with retire', () => {
    const password = 'p@ss/w:%41 ü#'
    // The last of two lines counts, as in Docker.
    put(
      '.env',
      `REDIS_PASSWORD=older\nREDIS_PASSWORD='${password}'\nexport SESSION_SECRETS="${'s'.repeat(32)}"\n`,
    )
    // Docker creates a missing secret that it mounts.
    put('secrets/postgres_password')
    const run = (...argv: string[]) => {
      const given = { ...env(), SECRETS_DIRECTORY: at('secrets'), ENV_FILE: at('.env') }
      execFileSync(join(root, 'docker/secrets.sh'), argv, { env: given })
      return (name: string) => readFileSync(at('secrets', name), 'utf8').trim()
    }
    const accepted = `#${createHash('sha256').update(password).digest('hex')} `
    const made = run()
    expect(made('redis_url')).toBe(`redis://:${encodeURIComponent(password)}@redis:6379`)
    expect(made('redis_acl')).toContain(accepted)
    expect(made('session_secrets')).toBe('s'.repeat(32))
    expect(made('postgres_password')).not.toBe('')
    rmSync(at('secrets/redis_acl'))
    expect(run()('redis_acl')).toContain(accepted)
    expect(run('retire', 'redis')('redis_acl')).toContain(accepted)
  })

  it('names a setting in .env that is not used, and a file that containers cannot read', () => {
    put('docker/secrets.sh', read('docker/secrets.sh'))
    put('docker/haproxy/haproxy.cfg')
    put('.env', 'REDIS_PASSWORD=first\n')
    programs({ docker: '' })
    const run = () => {
      const options = { encoding: 'utf8', env: env() } as const
      const { status, stderr } = spawnSync('bash', [at('docker/secrets.sh')], options)
      return [status, stderr]
    }
    expect(run()).toEqual([0, ''])
    put('.env', 'REDIS_PASSWORD=second\n')
    expect(run()).toEqual([
      0,
      'REDIS_PASSWORD in .env is not used, because secrets/redis_url exists: delete one of them\n',
    ])
    put('.env')
    chmodSync(at('docker/haproxy'), 0o700)
    expect(run()).toEqual([1, expect.stringMatching(/^Containers cannot read docker\/haproxy: /)])
  })

  it('creates secrets beside the compose file from any directory, and rejects unknown arguments', () => {
    put('docker/secrets.sh', read('docker/secrets.sh'))
    put('elsewhere/.keep')
    const run = (...argv: string[]) =>
      spawnSync('bash', ['../docker/secrets.sh', ...argv], {
        cwd: at('elsewhere'),
        encoding: 'utf8',
        env: { ...env(), ENV_FILE: '/dev/null' },
      })
    expect(run('rotate', 'everything')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('rotate NAME'),
    })
    expect(readdirSync(at('secrets'))).toEqual([])
    expect(run().status).toBe(0)
    expect(readdirSync(at('secrets'))).toContain('database_url')
    expect(readdirSync(at('elsewhere'))).toEqual(['.keep'])
  })

  it('says that services use other passwords when all secrets are made again', () => {
    const script = (docker: string) => {
      programs({ docker })
      const given = { ...env(), SECRETS_DIRECTORY: at('secrets'), ENV_FILE: '/dev/null' }
      return spawnSync(join(root, 'docker/secrets.sh'), { env: given, encoding: 'utf8' }).stderr
    }
    expect(script('')).toBe('')
    expect(script('echo rental_redis')).toBe('')
    rmSync(at('secrets'), { recursive: true })
    expect(script('echo rental_redis')).toContain('The running services use other passwords')
  })

  it('alternates the database logins and keeps the signing secret when no other is promoted', () => {
    const login = (...argv: string[]) => /\/(\w+):/.exec(secrets(...argv)('database_url'))?.[1]
    programs({ docker: 'exit 1' })
    const first = login()
    const second = login('rotate', 'database')
    expect([first, second].sort()).toEqual(['rental_api_a', 'rental_api_b'])
    expect(login('rotate', 'database')).toBe(first)
    programs({ docker: 'echo postgres://rental_api_a:secret@postgres:5432/rental' })
    for (const _ of [1, 2]) expect(login('rotate', 'database')).toBe('rental_api_b')
    const signing = secrets()('session_secrets')
    secrets('rotate', 'sessions')
    expect(secrets('retire', 'sessions')('session_secrets')).toBe(signing)
  })

  it('rotates only the named secret', () => {
    const names = ['database', 'owner', 'backup', 'monitor', 'redis', 'sessions'] as const
    const all = () => {
      const read = secrets()
      return Object.fromEntries(readdirSync(at('secrets')).map((name) => [name, read(name)]))
    }
    const made = all()
    const changed = names.map((name) => {
      const before = all()
      secrets('rotate', name)
      const after = all()
      return Object.keys(after).filter((each) => after[each] !== before[each])
    })
    expect(changed).toEqual([
      ['database_url'],
      ['database_owner_url'],
      ['database_backup_url'],
      ['database_monitor_password'],
      ['redis_acl', 'redis_url'],
      ['session_secrets'],
    ])
    const rotated = all()
    // User names stay the same, except those of the API, whose two logins alternate.
    for (const role of ['owner', 'backup'])
      expect(rotated[`database_${role}_url`]).toMatch(
        new RegExp(`^postgres://rental_${role}:[\\da-f]{64}@postgres:5432/rental$`),
      )
    // Redis accepts the old and the new password.
    for (const { redis_url = '' } of [made, rotated]) {
      const [, password = ''] = /:([^:@]+)@/.exec(redis_url) ?? []
      const hash = createHash('sha256').update(password).digest('hex')
      expect(rotated['redis_acl']).toContain(`#${hash} `)
    }
    const address = rotated['database_url'] ?? ''
    secrets('workers')
    for (const number of [1, 2])
      expect(all()[`database_worker_${number}_url`]).toBe(
        address.replace('@postgres:', `@worker-${number}:`),
      )
  })

  it('restricts the secrets directory to its owner and the Redis user to needed commands', () => {
    const [user] = secrets()('redis_acl').split('\n')
    expect(statSync(at('secrets')).mode & 0o777).toBe(0o700)
    expect(user).toMatch(/^user default on resetpass #\S+ ~\* &\* \+@all -@admin -@dangerous /)
  })

  it('keeps every Redis password valid until it is retired', () => {
    const accepted = (...argv: string[]) => secrets(...argv)('redis_acl').match(/#[0-9a-f]{64}/g)
    const [first] = accepted() ?? []
    const [, second] = accepted('rotate', 'redis') ?? []
    const both = [first, second]
    expect(accepted('rotate', 'redis')).toEqual([
      ...both,
      expect.not.stringMatching(both.join('|')),
    ])
    expect(accepted('retire', 'redis')).toEqual([expect.not.stringMatching(both.join('|'))])
  })

  it('changes the session secrets only once when a step is repeated', () => {
    const run = (...argv: string[]) => secrets(...argv)('session_secrets').split(',')
    const [former = ''] = run()
    const [, next = ''] = run('rotate', 'sessions')
    expect(run()).toEqual([former, next])
    for (const _ of [1, 2]) {
      const [signing, ...others] = run('promote', 'sessions')
      expect([signing, others]).toEqual([next, expect.arrayContaining([former])])
    }
    for (const _ of [1, 2]) expect(run('retire', 'sessions')).toEqual([next])
    expect(run('promote', 'sessions')).toEqual([next])
  })

  it('passes database passwords to psql on stdin and stops at the first error', () => {
    const made = secrets()
    programs({ psql: `cat > '${at('stdin')}'` })
    const script = read('docker/postgres/roles.sh')
      .replaceAll('/run/secrets', at('secrets'))
      .replace('$(dirname "$0")', join(root, 'docker/postgres'))
    execFileSync('bash', ['-c', script], { env: env() })
    expect(calls()[0]).toMatch(/ --set ON_ERROR_STOP=1$/)
    for (const [role, name] of [
      ['api', 'database_url'],
      ['owner', 'database_owner_url'],
      ['backup', 'database_backup_url'],
    ] as const) {
      const [, user, password] = /\/(\w+):(\w+)@/.exec(made(name)) ?? []
      expect(readFileSync(at('stdin'), 'utf8')).toContain(
        `\\set ${role}_user '${user}'\n\\set ${role}_password '${password}'\n`,
      )
      expect(calls()[0]).not.toContain(password)
    }
    expect(readFileSync(at('stdin'), 'utf8')).toContain('\\set retire false\n')
  })
})
