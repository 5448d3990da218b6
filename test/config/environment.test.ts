import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../src/config/environment.ts'
import { limitRules } from '../../src/domain/limits.ts'
import { problemsOf } from '../helpers/environment.ts'

const secret = 's'.repeat(32)
const production = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://db/rental',
  REDIS_URL: 'redis://redis',
  SESSION_SECRETS: secret,
}

describe('parseConfig', () => {
  it('uses defaults for an empty environment, but none for secrets', () => {
    expect(parseConfig({ NODE_ENV: 'test' })).toMatchObject({
      production: false,
      startedByNpm: false,
      host: '127.0.0.1',
      port: 3000,
      databaseUrl: undefined,
      redisUrl: undefined,
      sessionSecrets: [],
      demo: true,
      demoPort: 3001,
      quoteTtlSeconds: 1800,
      sessionTtlSeconds: 3600,
    })
  })

  it.each([
    ['postgres://rental:p/w@db:5432/rental', 'DATABASE_URL'],
    ['postgres://rental:p@w/x@db:5432/rental', 'DATABASE_DIRECT_URL'],
    ['postgresql://rental:p#w@db/rental', 'DATABASE_URL'],
    ['postgres://rental:12#p@w@db/rental', 'DATABASE_URL'],
    ['postgres://rental:1/2#p@w@db/rental', 'DATABASE_URL'],
    ['rediss://:p/w@redis:6379', 'REDIS_URL'],
    ['redis+cluster://a:p/w@a:1,b:2', 'REDIS_URL'],
    ['redis+cluster://a:pw@a:1,a:p@w/x@b:2', 'REDIS_URL'],
  ])('explains how to encode a password when %s is not a URL', (url, name) => {
    const problems = problemsOf({ [name]: url })
    const written = Array.from('/@#?%', (sign) => `${sign} as ${encodeURIComponent(sign)}`)
    expect(problems).toContain(`${name}: is not a URL. In a password write ${written.join(', ')}`)
    expect(problems).not.toContain('p@w')
    const scheme = name === 'REDIS_URL' ? 'redis' : 'postgres'
    const whole = { [name]: `${scheme}://rental:p@w@db:5432/rental?sslmode=require` }
    expect(problemsOf({ DATABASE_URL: 'postgres://db/rental', ...whole })).toBe('')
    expect(problemsOf({ REDIS_URL: 'redis+cluster://a:b%2F@a:1,b:2' })).toBe('')
  })

  it.each(['nonsense', 'redis://db:6379', 'mysql://db/rental'])(
    'rejects %s as DATABASE_URL',
    (url) => {
      expect(problemsOf({ DATABASE_URL: url })).toContain(
        'DATABASE_URL: must begin with postgres://',
      )
      // The driver accepts a lone % in a password.
      for (const good of [
        '/run/postgresql rental',
        'socket:/run/postgresql?db=x',
        'postgres://a:5%@b',
      ])
        expect(problemsOf({ DATABASE_URL: good })).toBe('')
    },
  )

  it.each(['http://redis', 'nonsense', 'redis:6379', 'rediss+cluster://a:1', '6379'])(
    'rejects %s as REDIS_URL',
    (url) => {
      expect(problemsOf({ REDIS_URL: url })).toContain('REDIS_URL: must begin with redis://')
      const servers = ['redis://a', 'rediss://a:1', 'redis+cluster://a:1,b:2']
      const sockets = ['/run/redis.sock', 'redis://localhost/?path=%2Ftmp%2Fr.sock']
      for (const good of [...servers, ...sockets]) expect(problemsOf({ REDIS_URL: good })).toBe('')
    },
  )

  it('converts timeouts to milliseconds and lists to arrays', () => {
    const timeouts = { HEADERS_TIMEOUT_SECONDS: '3', REQUEST_TIMEOUT_SECONDS: '4' }
    expect(parseConfig(timeouts)).toMatchObject({ headersTimeoutMs: 3000, requestTimeoutMs: 4000 })
    expect(parseConfig({ TRUST_PROXY: '::1,192.0.2.7' }).trustProxy).toEqual(['::1', '192.0.2.7'])
    expect(parseConfig({ npm_lifecycle_event: 'start' }).startedByNpm).toBe(true)
  })

  it('maps each limit variable to its own limit', () => {
    const limits = Object.fromEntries(
      Object.keys(parseConfig({}).limits).map((name, index) => [name, 41 + index]),
    )
    const variables = Object.entries(limitRules).map(([name, { variable }]) => [
      variable,
      String(limits[name]),
    ])
    expect(parseConfig(Object.fromEntries(variables)).limits).toEqual(limits)
  })

  it('requires REQUEST_TIMEOUT_SECONDS to exceed HEADERS_TIMEOUT_SECONDS', () => {
    const problem = 'REQUEST_TIMEOUT_SECONDS: must be more than HEADERS_TIMEOUT_SECONDS'
    for (const seconds of ['4', '5']) {
      const timeouts = { HEADERS_TIMEOUT_SECONDS: '5', REQUEST_TIMEOUT_SECONDS: seconds }
      expect(problemsOf(timeouts)).toContain(problem)
    }
  })

  it.each(['', ' '])('treats a blank variable as unset and trims values: "%s"', (blank) => {
    const unset = { PORT: blank, DEMO_PORT: blank, DATABASE_URL: blank, QUOTE_TTL_SECONDS: blank }
    expect(parseConfig(unset)).toEqual(parseConfig({}))
    const { databaseUrl } = parseConfig({ DATABASE_URL: `${blank}postgres://db/x${blank}` })
    expect(databaseUrl).toBe('postgres://db/x')
  })

  it('rejects DATABASE_DIRECT_URL without DATABASE_URL', () => {
    const direct = { DATABASE_DIRECT_URL: 'postgres://db/rental' }
    expect(problemsOf(direct)).toContain('DATABASE_DIRECT_URL: requires DATABASE_URL')
    expect(problemsOf({ ...direct, DATABASE_URL: 'postgres://pooler/rental' })).toBe('')
  })

  it('sets the demo port to the next port, or to any free port', () => {
    expect(parseConfig({ PORT: '65534' }).demoPort).toBe(65_535)
    expect(parseConfig({ PORT: '65535' }).demoPort).toBe(0)
    expect(parseConfig({ PORT: '0' }).demoPort).toBe(0)
  })

  it('reports invalid numbers and choices in plain messages', () => {
    const problems = problemsOf({
      LIMIT_READS_PER_MINUTE: '0',
      QUOTE_TTL_SECONDS: 'x',
      SESSION_TTL_SECONDS: '3601',
      LIMIT_QUOTES_PER_MINUTE: '1000000001',
      REDIS_TIMEOUT_MS: '2147483648',
      PREPARED_STATEMENTS: 'yes',
    })
    expect(problems.split('\n').slice(1)).toEqual([
      '  PREPARED_STATEMENTS: must be on or off',
      '  REDIS_TIMEOUT_MS: must be at most 60000',
      '  QUOTE_TTL_SECONDS: must be a number',
      '  SESSION_TTL_SECONDS: must be at most 3600',
      '  LIMIT_READS_PER_MINUTE: must be at least 1',
      '  LIMIT_QUOTES_PER_MINUTE: must be at most 1000000000',
    ])
  })

  it('disables the demo when DATABASE_URL is set, unless DEMO is on', () => {
    expect(parseConfig({ DATABASE_URL: 'postgres://db/x' }).demo).toBe(false)
    expect(parseConfig({ DATABASE_URL: 'postgres://db/x', DEMO: 'on' }).demo).toBe(true)
    expect(parseConfig({ DEMO: 'off' }).demo).toBe(false)
  })

  it.each([
    [{}, 'off'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }, 'otlp'],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/v1/traces' }, 'otlp'],
    [{ OTEL_TRACES_EXPORTER: 'otlp' }, 'otlp'],
    [{ OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector' }, 'off'],
    [{ OTEL_SDK_DISABLED: 'TRUE', OTEL_TRACES_EXPORTER: 'otlp' }, 'off'],
    [{ OTEL_SDK_DISABLED: 'false', OTEL_TRACES_EXPORTER: 'otlp' }, 'otlp'],
    [{ OTEL_TRACES_EXPORTER: 'zipkin' }, 'unsupported'],
    [{ OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'unsupported'],
    [
      // Variables for traces take precedence over the general ones.
      {
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/v1/traces',
        OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf',
        OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      },
      'otlp',
    ],
  ])('reads the tracing mode from %j: %s', (environment, tracing) => {
    expect(parseConfig(environment).tracing).toBe(tracing)
  })

  it('reports every problem at once', () => {
    const message = problemsOf({
      NODE_ENV: 'production',
      PORT: 'abc',
      DATABASE_POOL_MAX: '0',
      LOG_LEVEL: 'loud',
      TRUST_PROXY: 'foo',
      SESSION_SECRETS: 'short,shorter',
      DATABASE_DIRECT_URL: 'mysql://db',
      REDIS_URL: 'redis://:a/b@redis',
    })
    expect(message.split('\n').map((line) => /^ {2}\w+/.exec(line)?.[0].trim())).toEqual([
      undefined,
      'DATABASE_DIRECT_URL',
      'PORT',
      'REDIS_URL',
      'SESSION_SECRETS',
      'TRUST_PROXY',
      'DATABASE_POOL_MAX',
      'LOG_LEVEL',
      'DATABASE_DIRECT_URL',
      'DATABASE_URL',
    ])
    const timeouts = { HEADERS_TIMEOUT_SECONDS: 'x', REQUEST_TIMEOUT_SECONDS: '5' }
    expect(problemsOf(timeouts).split('\n').slice(1)).toEqual([
      '  HEADERS_TIMEOUT_SECONDS: must be a number',
    ])
    expect(problemsOf({ SESSION_SECRETS: `${secret},short` })).toContain('32 bytes')
  })

  it.each([
    'everybody',
    'true',
    '1',
    '1.2.3',
    '0x7f.1',
    '10.0.0.300',
    '10.0.0.0/33',
    '::1/200',
    ...[
      '10.0.0.0/',
      '10.0.0.0/8/8',
      '10.0.0.0/255.0.0.0',
      '/8',
      'loopback',
      '0.0.0.0/0',
      '::/0',
      '10.1/32',
    ],
  ])('rejects %s in TRUST_PROXY', (entry) => {
    expect(problemsOf({ TRUST_PROXY: entry })).toContain('TRUST_PROXY')
  })
})

describe('parseConfig in production', () => {
  it('requires DATABASE_URL, REDIS_URL and SESSION_SECRETS in production', () => {
    expect(problemsOf(production)).toBe('')
    for (const name of ['DATABASE_URL', 'REDIS_URL', 'SESSION_SECRETS']) {
      expect(problemsOf({ ...production, [name]: '' })).toContain(`${name}: is required`)
    }
  })

  it('rejects a TRUST_PROXY that trusts every address in production', () => {
    for (const everybody of ['0.0.0.0/0', '::/0', '10.0.0.0/8,::/0']) {
      expect(problemsOf({ ...production, TRUST_PROXY: everybody })).toContain(
        'trusts every address, so callers could forge their IP address',
      )
    }
  })

  it('accepts private and proxy networks in TRUST_PROXY in production', () => {
    const proxies =
      '10.0.0.0/8,172.16.0.0/12,192.0.2.7,::1,fc00::/7,fe80::/10,2a06:98c0::/29,2001::/16,::ffff:10.0.0.0/104,::ffff:192.0.2.7'
    expect(problemsOf({ ...production, TRUST_PROXY: proxies })).toBe('')
  })
})
