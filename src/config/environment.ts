import { z } from 'zod'
import { sessionSecondsMax } from '../domain/accountRules.ts'
import { type Limits, limitNames, limitRules } from '../domain/limits.ts'
import { splitList } from '../input/fields.ts'
import { describeIssue } from '../input/issues.ts'
import { postgresUrl, redisUrl } from './serverUrls.ts'
import { withSettingFiles } from './settingFiles.ts'
import { parseNetwork } from './trustedNetwork.ts'

const text = z.string().trim().min(1).optional()
const isText = (expected: string) => text.transform((value) => value === expected)
/** The default maximum keeps values within the range of timers and columns. */
const positiveInt = (fallback: number, max = 1_000_000_000) =>
  z.coerce.number().int().min(1).max(max).default(fallback)
const secondsAsMs = (fallback: number) =>
  positiveInt(fallback, 3_600).transform((seconds) => seconds * 1000)
const portMax = 65_535
const port = z.coerce.number().int().min(0).max(portMax)
export const onOff = z.enum(['on', 'off']).transform((value) => value === 'on')
const list = z.string().default('').transform(splitList)

export const secretBytesMin = 32
const secrets = list.refine(
  (all) => all.every((secret) => Buffer.byteLength(secret) >= secretBytesMin),
  `each secret must have at least ${secretBytesMin} bytes`,
)

const trustedNetworks = list.superRefine((entries, context) => {
  for (const entry of entries) {
    const block = parseNetwork(entry)
    if (block === undefined) context.addIssue(`"${entry}" is not an address or CIDR`)
    else if (block[1] === 0)
      context.addIssue(`"${entry}" trusts every address, so callers could forge their IP address`)
  }
})

type Setting = readonly [variable: string, rule: z.ZodType]

type Parsed<Settings extends Readonly<Record<string, Setting>>> = {
  readonly [Field in keyof Settings]: z.output<Settings[Field][1]>
}

/** The settings that the command line also reads. Commands that use others do not compile. */
const operatorSettings = {
  production: ['NODE_ENV', isText('production')],
  databaseUrl: ['DATABASE_URL', postgresUrl],
  databaseDirectUrl: ['DATABASE_DIRECT_URL', postgresUrl],
  dataDir: ['DATA_DIR', z.string().min(1).default('.data')],
  preparedStatements: ['PREPARED_STATEMENTS', onOff.default(true)],
} as const satisfies Readonly<Record<string, Setting>>

const serverSettings = {
  ...operatorSettings,
  startedByNpm: ['npm_lifecycle_event', isText('start')],
  host: ['HOST', z.string().default('127.0.0.1')],
  port: ['PORT', port.default(3000)],
  redisUrl: ['REDIS_URL', redisUrl],
  redisTimeoutMs: ['REDIS_TIMEOUT_MS', positiveInt(150, 60_000)],
  sessionSecrets: ['SESSION_SECRETS', secrets],
  trustProxy: ['TRUST_PROXY', trustedNetworks],
  quoteTtlSeconds: ['QUOTE_TTL_SECONDS', positiveInt(1800)],
  sessionTtlSeconds: ['SESSION_TTL_SECONDS', positiveInt(3600, sessionSecondsMax)],
  unauthenticatedPerMinute: ['LIMIT_UNAUTHENTICATED_PER_MINUTE', positiveInt(60)],
  headersTimeoutMs: ['HEADERS_TIMEOUT_SECONDS', secondsAsMs(10)],
  requestTimeoutMs: ['REQUEST_TIMEOUT_SECONDS', secondsAsMs(15)],
  requestsInProgressMax: ['REQUESTS_IN_PROGRESS_MAX', positiveInt(500)],
  databasePoolMax: ['DATABASE_POOL_MAX', positiveInt(10)],
  catalogRowsMax: ['CATALOG_ROWS_MAX', positiveInt(200_000)],
  logLevel: [
    'LOG_LEVEL',
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  ],
  traceparent: ['TRACEPARENT', z.enum(['link', 'continue']).default('link')],
  otelDisabled: ['OTEL_SDK_DISABLED', text],
  otelExporter: ['OTEL_TRACES_EXPORTER', text],
  otelEndpoint: ['OTEL_EXPORTER_OTLP_ENDPOINT', text],
  otelTracesEndpoint: ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', text],
  otelProtocol: ['OTEL_EXPORTER_OTLP_PROTOCOL', text],
  otelTracesProtocol: ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', text],
  demo: ['DEMO', onOff.optional()],
  demoPort: ['DEMO_PORT', port.optional()],
} as const satisfies Readonly<Record<string, Setting>>

const limitSettings = Object.fromEntries(
  limitNames.map((name): [string, Setting] => {
    const { variable, byDefault } = limitRules[name]
    return [name, [variable, positiveInt(byDefault)]]
  }),
)

const settings = { ...serverSettings, ...limitSettings }

const variablesOf = (read: Readonly<Record<string, Setting>>) =>
  Object.values(read).map(([variable]) => variable)

/** All variables of the server and of the command line, for the check of the documents. */
export const variables = variablesOf(settings)
export const operatorVariables = variablesOf(operatorSettings)

/** The server's configuration, read from the environment once at start. */
export type Config = ReturnType<typeof parseConfig>

export type OperatorConfig = Parsed<typeof operatorSettings>

/** An invalid environment; `message` lists every problem on a line of its own. */
export class ConfigError extends Error {}

/**
 * Reads the settings of the command line. `databaseUrl` replaces both database URLs.
 * @throws ConfigError naming every invalid variable
 */
export function parseOperatorConfig(source: NodeJS.ProcessEnv, databaseUrl?: string) {
  if (databaseUrl === undefined) return parse(operatorSettings, source, ['DATABASE_URL'])
  const others = Object.entries(source).filter(([name]) => !/^DATABASE_(DIRECT_)?URL/.test(name))
  const given = { ...Object.fromEntries(others), DATABASE_URL: databaseUrl }
  return parse(operatorSettings, given, ['DATABASE_URL'])
}

/**
 * Reads the environment and the files that it names (docs/configuration.md).
 * @throws ConfigError naming every invalid variable
 */
export function parseConfig(source: NodeJS.ProcessEnv) {
  const required = ['DATABASE_URL', 'REDIS_URL', 'SESSION_SECRETS']
  const config = parse(settings, source, required) as Parsed<typeof serverSettings> & Limits
  const { databaseUrl, port, demo, demoPort } = config
  return Object.freeze({
    ...config,
    limits: Object.fromEntries(limitNames.map((name) => [name, config[name]])) as Limits,
    tracing: tracingMode(config),
    demo: demo ?? databaseUrl === undefined,
    demoPort: demoPort ?? ([0, portMax].includes(port) ? 0 : port + 1),
  })
}

function parse<Settings extends Readonly<Record<string, Setting>>>(
  settings: Settings,
  source: NodeJS.ProcessEnv,
  requiredInProduction: readonly string[],
): Parsed<Settings> {
  const nonEmpty = Object.fromEntries(
    Object.entries(source).filter(([, value]) => value?.trim() !== ''),
  )
  const { values, problems } = withSettingFiles(nonEmpty, variablesOf(settings))
  const parsed: Record<string, unknown> = {}
  for (const [field, [variable, rule]] of Object.entries(settings)) {
    const { success, data, error } = rule.safeParse(values[variable], { error: describeIssue })
    if (success) parsed[field] = data
    else problems.push(...error.issues.map(({ message }) => `${variable}: ${message}`))
  }
  // Without DATABASE_URL, the server would use the embedded database, but `rental migrate` the
  // database of DATABASE_DIRECT_URL.
  if (values['DATABASE_DIRECT_URL'] !== undefined && values['DATABASE_URL'] === undefined)
    problems.push('DATABASE_DIRECT_URL: requires DATABASE_URL, for the same database')
  // Node would swap the two values, and slow bodies would never time out.
  if (Number(parsed['requestTimeoutMs']) <= Number(parsed['headersTimeoutMs']))
    problems.push('REQUEST_TIMEOUT_SECONDS: must be more than HEADERS_TIMEOUT_SECONDS')
  // A variable whose file cannot be read does not count as missing: it is already reported.
  const given = (name: string) => values[name] ?? values[`${name}_FILE`] ?? ''
  const required = parsed['production'] === true ? requiredInProduction : []
  for (const name of required)
    if (splitList(given(name)).length === 0) problems.push(`${name}: is required in production`)
  if (problems.length > 0) throw new ConfigError(`Invalid environment:\n  ${problems.join('\n  ')}`)
  return parsed as Parsed<Settings>
}

/**
 * Returns whether the OpenTelemetry variables enable tracing. `unsupported` is not an error,
 * because the variables are often set for a whole cluster.
 */
function tracingMode(config: Parsed<typeof serverSettings>): 'off' | 'otlp' | 'unsupported' {
  if (config.otelDisabled?.toLowerCase() === 'true') return 'off'
  const endpoint = config.otelTracesEndpoint ?? config.otelEndpoint
  const exporter = config.otelExporter ?? (endpoint === undefined ? 'none' : 'otlp')
  if (exporter === 'none') return 'off'
  const protocol = config.otelTracesProtocol ?? config.otelProtocol ?? 'http/protobuf'
  return exporter === 'otlp' && protocol === 'http/protobuf' ? 'otlp' : 'unsupported'
}
