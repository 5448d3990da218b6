import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { version } from '../../src/config/projectRoot.ts'
import { freePort } from '../helpers/freePort.ts'

export const root = join(import.meta.dirname, '../..')
export const image = `rental-booking-api:${version}`

export interface Outcome {
  readonly exitCode: number
  readonly out: string
  readonly error: string
}

export function run(
  program: string,
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  return new Promise((done) => {
    const options = { cwd: root, env: { ...process.env, ...env }, maxBuffer: 2 ** 26 }
    execFile(program, argv, options, (failure, out, error) =>
      done({ exitCode: failure === null ? 0 : Number(failure.code) || 1, out, error }),
    )
  })
}

const directory = mkdtempSync(join(tmpdir(), 'rental-compose-'))
export const secretsDirectory = join(directory, 'secrets')
const port = await freePort()
export const baseUrl = `http://127.0.0.1:${port}`
/** Settings that separate this stack from another one on the same machine. */
export const settings = {
  COMPOSE_PROJECT_NAME: 'rental-path',
  COMPOSE_ENV_FILES: '/dev/null',
  ENV_FILE: join(directory, 'env'),
  SECRETS_DIRECTORY: secretsDirectory,
  PUBLISH_PORT: String(port),
  PROXY_NETWORK: '10.231.249.0/24',
}

/**
 * Returns the output of a program.
 * @throws Error with the output if the program fails
 */
export async function done(outcome: Promise<Outcome>): Promise<string> {
  const { exitCode, out, error } = await outcome
  if (exitCode !== 0) throw new Error(`Exit ${exitCode}: ${error}\n${out}`)
  return out
}

export const composeArgv = (argv: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  run('docker', ['compose', ...argv], { ...settings, ...env })
export const compose = (argv: string, env: Readonly<Record<string, string>> = {}) =>
  composeArgv(argv.split(' '), env)
export const secrets = (...argv: string[]) => run('./docker/secrets.sh', argv, settings)
/** Runs a program, such as `rental`, in the first replica. */
export const inReplica = (...argv: string[]) => composeArgv(['exec', '-T', 'api-1', ...argv])

/** Runs a query as the superuser on a server of the stack and returns the output. */
export async function psql(service: string, query: string): Promise<string> {
  const argv = ['psql', '-U', 'rental', '-d', 'rental', '-Atc', query]
  return (await done(composeArgv(['exec', '-T', service, ...argv]))).trim()
}

/** Replaces the replicas one after the other, as described in docs/operations.md#upgrades. */
export async function replace(env: Readonly<Record<string, string>> = {}, flags = '') {
  for (const service of ['api-1', 'api-2'])
    await done(compose(`up -d --no-deps --wait${flags} ${service}`, env))
}

/** Returns the number of replicas that the proxy sends requests to, as seen from one of them. */
export async function serving(observer = 'api-1'): Promise<number> {
  const script = `fetch('http://proxy:8404/metrics').then((response) => response.text()).then(console.log)`
  const metrics = await done(composeArgv(['exec', '-T', observer, 'node', '--eval', script]))
  const found = /^haproxy_backend_active_servers\{proxy="api"\} (\d+)/m.exec(metrics)
  return Number(found?.[1])
}
