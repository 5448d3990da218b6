import { z } from 'zod'
import { sessionSecondsMax } from '../domain/accountRules.ts'
import { splitList } from '../input/fields.ts'
import { describeIssue } from '../input/issues.ts'
import { urlNames, urlProblem } from './serverUrls.ts'
import { withSettingFiles } from './settingFiles.ts'
import { parseNetwork } from './trustedNetwork.ts'

const text = z.string().trim().min(1).optional()
/** The default maximum keeps values within the range of timers and columns. */
const positiveInt = (fallback: number, max = 1_000_000_000) =>
  z.coerce.number().int().min(1).max(max).default(fallback)
const portMax = 65_535
const port = z.coerce.number().int().min(0).max(portMax)
export const onOff = z.enum(['on', 'off']).transform((value) => value === 'on')
const list = z.string().default('').transform(splitList)

export const secretBytesMin = 32

/** Runs a refinement even if single variables are invalid, so all problems are reported. */
const alwaysRun = { when: () => true }

const environment = z
  .object({
    NODE_ENV: z.string().optional(),
    npm_lifecycle_event: text,
    HOST: z.string().default('127.0.0.1'),
    PORT: port.default(3000),
    DATABASE_URL: text,
    DATABASE_DIRECT_URL: text,
    DATA_DIR: z.string().min(1).default('.data'),
    REDIS_URL: text,
    REDIS_TIMEOUT_MS: positiveInt(150, 60_000),
    SESSION_SECRETS: list,
    TRUST_PROXY: list,
    QUOTE_TTL_SECONDS: positiveInt(1800),
    SESSION_TTL_SECONDS: positiveInt(3600, sessionSecondsMax),
    LIMIT_READS_PER_MINUTE: positiveInt(300),
    LIMIT_QUOTES_PER_MINUTE: positiveInt(60),
    LIMIT_SESSIONS_PER_MINUTE: positiveInt(30),
    LIMIT_BOOKINGS_PER_MINUTE: positiveInt(10),
    LIMIT_BOOKINGS_PER_DAY: positiveInt(200),
    LIMIT_VISITOR_SESSIONS_PER_MINUTE: positiveInt(10),
    LIMIT_VISITOR_QUOTES_PER_MINUTE: positiveInt(20),
    LIMIT_VISITOR_BOOKINGS_PER_MINUTE: positiveInt(5),
    LIMIT_UNAUTHENTICATED_PER_MINUTE: positiveInt(60),
    HEADERS_TIMEOUT_SECONDS: positiveInt(10, 3_600),
    REQUEST_TIMEOUT_SECONDS: positiveInt(15, 3_600),
    REQUESTS_IN_PROGRESS_MAX: positiveInt(500),
    DATABASE_POOL_MAX: positiveInt(10),
    CATALOG_ROWS_MAX: positiveInt(200_000),
    PREPARED_STATEMENTS: onOff.default(true),
    LOG_LEVEL: z
      .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
      .default('info'),
    TRACEPARENT: z.enum(['link', 'continue']).default('link'),
    OTEL_SDK_DISABLED: text,
    OTEL_TRACES_EXPORTER: text,
    OTEL_EXPORTER_OTLP_ENDPOINT: text,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: text,
    OTEL_EXPORTER_OTLP_PROTOCOL: text,
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: text,
    DEMO: onOff.optional(),
    DEMO_PORT: port.optional(),
  })
  .superRefine((env, context) => {
    const addProblem = (name: string, message: string) =>
      context.addIssue({ code: 'custom', path: [name], message })
    if (env.SESSION_SECRETS.some((secret) => Buffer.byteLength(secret) < secretBytesMin)) {
      addProblem('SESSION_SECRETS', `each secret must have at least ${secretBytesMin} bytes`)
    }
    for (const name of urlNames) {
      const problem = urlProblem(name, env[name])
      if (problem !== undefined) addProblem(name, problem)
    }
    if (env.DATABASE_DIRECT_URL !== undefined && env.DATABASE_URL === undefined) {
      // Without DATABASE_URL, the server would use the embedded database, but `rental migrate` the
      // database of DATABASE_DIRECT_URL.
      addProblem('DATABASE_DIRECT_URL', 'requires DATABASE_URL, for the same database')
    }
    for (const entry of env.TRUST_PROXY) {
      const block = parseNetwork(entry)
      if (block === undefined) {
        addProblem('TRUST_PROXY', `"${entry}" is not an address or CIDR`)
      } else if (block[1] === 0) {
        addProblem(
          'TRUST_PROXY',
          `"${entry}" trusts every address, so callers could forge their IP address`,
        )
      }
    }
    if (env.REQUEST_TIMEOUT_SECONDS <= env.HEADERS_TIMEOUT_SECONDS) {
      // Node would swap the two values, and slow bodies would never time out.
      addProblem('REQUEST_TIMEOUT_SECONDS', 'must be more than HEADERS_TIMEOUT_SECONDS')
    }
  }, alwaysRun)

/**
 * Returns whether the OpenTelemetry variables enable tracing. `unsupported` is not an error,
 * because the variables are often set for a whole cluster.
 */
function tracingSetting(env: z.output<typeof environment>): 'off' | 'otlp' | 'unsupported' {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return 'off'
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_ENDPOINT
  const exporter = env.OTEL_TRACES_EXPORTER ?? (endpoint === undefined ? 'none' : 'otlp')
  if (exporter === 'none') return 'off'
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? env.OTEL_EXPORTER_OTLP_PROTOCOL
  const supported = protocol === undefined || protocol === 'http/protobuf'
  return exporter === 'otlp' && supported ? 'otlp' : 'unsupported'
}

/** The configuration, read from the environment once at start. */
export type Config = Readonly<ReturnType<typeof parseConfig>>

/** An invalid environment; `message` lists every problem on a line of its own. */
export class ConfigError extends Error {}

const requiredInProduction = ['DATABASE_URL', 'REDIS_URL', 'SESSION_SECRETS']
const databaseUrlNames = /^DATABASE(_DIRECT)?_URL(_FILE)?$/
const databaseSettingNames = /^(NODE_ENV|DATA_DIR|PREPARED_STATEMENTS)$/

/**
 * Reads only the settings that select the database, for commands that need no others. With `given`,
 * the environment's database URLs are ignored.
 * @throws ConfigError naming every invalid variable
 */
export function parseDatabaseConfig(source: NodeJS.ProcessEnv, given?: string): Config {
  const own = Object.entries(source).filter(
    ([name]) =>
      databaseSettingNames.test(name) || (given === undefined && databaseUrlNames.test(name)),
  )
  const named = given === undefined ? {} : { DATABASE_URL: given }
  return parseConfig({ ...Object.fromEntries(own), ...named }, ['DATABASE_URL'])
}

/**
 * Reads the environment and the files that it names (docs/configuration.md).
 * @throws ConfigError naming every invalid variable
 */
export function parseConfig(source: NodeJS.ProcessEnv, needed = requiredInProduction) {
  const nonEmpty = Object.fromEntries(
    Object.entries(source).filter(([, value]) => value?.trim() !== ''),
  )
  const { values, problems: unread } = withSettingFiles(nonEmpty)
  const result = environment.safeParse(values, { error: describeIssue })
  const issues = result.error?.issues ?? []
  const required = values['NODE_ENV'] === 'production' ? needed : []
  // A variable whose file cannot be read does not count as missing: `unread` already reports it.
  const given = (name: string) => values[name] ?? values[`${name}_FILE`] ?? ''
  const missing = required.filter((name) => splitList(given(name)).length === 0)
  const problems = [
    ...unread,
    ...issues.map(({ path, message }) => `${path.join('.')}: ${message}`),
    ...missing.map((name) => `${name}: is required in production`),
  ]
  if (!result.success || problems.length > 0) {
    throw new ConfigError(`Invalid environment:\n  ${problems.join('\n  ')}`)
  }
  return Object.freeze(settingsOf(result.data))
}

function settingsOf(env: z.output<typeof environment>) {
  return {
    production: env.NODE_ENV === 'production',
    startedByNpm: env.npm_lifecycle_event === 'start',
    host: env.HOST,
    port: env.PORT,
    databaseUrl: env.DATABASE_URL,
    databaseDirectUrl: env.DATABASE_DIRECT_URL,
    databasePoolMax: env.DATABASE_POOL_MAX,
    catalogRowsMax: env.CATALOG_ROWS_MAX,
    preparedStatements: env.PREPARED_STATEMENTS,
    dataDir: env.DATA_DIR,
    redisUrl: env.REDIS_URL,
    redisTimeoutMs: env.REDIS_TIMEOUT_MS,
    sessionSecrets: env.SESSION_SECRETS,
    trustProxy: env.TRUST_PROXY,
    quoteTtlSeconds: env.QUOTE_TTL_SECONDS,
    sessionTtlSeconds: env.SESSION_TTL_SECONDS,
    limits: {
      reads: env.LIMIT_READS_PER_MINUTE,
      quotes: env.LIMIT_QUOTES_PER_MINUTE,
      sessions: env.LIMIT_SESSIONS_PER_MINUTE,
      bookings: env.LIMIT_BOOKINGS_PER_MINUTE,
      bookingsPerDay: env.LIMIT_BOOKINGS_PER_DAY,
      visitorSessions: env.LIMIT_VISITOR_SESSIONS_PER_MINUTE,
      visitorQuotes: env.LIMIT_VISITOR_QUOTES_PER_MINUTE,
      visitorBookings: env.LIMIT_VISITOR_BOOKINGS_PER_MINUTE,
    },
    unauthenticatedPerMinute: env.LIMIT_UNAUTHENTICATED_PER_MINUTE,
    headersTimeoutMs: env.HEADERS_TIMEOUT_SECONDS * 1000,
    requestTimeoutMs: env.REQUEST_TIMEOUT_SECONDS * 1000,
    requestsInProgressMax: env.REQUESTS_IN_PROGRESS_MAX,
    logLevel: env.LOG_LEVEL,
    tracing: tracingSetting(env),
    traceparent: env.TRACEPARENT,
    demo: env.DEMO ?? env.DATABASE_URL === undefined,
    demoPort: env.DEMO_PORT ?? ([0, portMax].includes(env.PORT) ? 0 : env.PORT + 1),
  }
}
