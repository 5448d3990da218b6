import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { remove, temporaryDirectory } from '../embedded/installation.ts'
import { compiledServer } from '../helpers/compiledServer.ts'
import { firstRunEnvironment, startFirstRun, stepsOf, stopFirstRun } from '../helpers/firstRun.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const execute = promisify(execFile)
let compiled: string
let dataDir: string

beforeAll(async () => {
  compiled = dirname(await compiledServer())
  dataDir = await temporaryDirectory('open')
})
afterAll(async () => {
  await remove(dataDir)
})

interface SiteConfig {
  readonly baseUrl: string
  readonly apiKey: string
  readonly config: { readonly extras: readonly object[] }
}

/** Runs the lines in a shell with stand-ins for curl and npm, and returns the output. */
async function paste(lines: string, variables: Record<string, string> = {}): Promise<string> {
  const curl = fileURLToPath(new URL('../helpers/curl.mjs', import.meta.url))
  const programs = [
    `curl() { '${process.execPath}' '${curl}' "$@"; }`,
    `npm() { shift 4; '${process.execPath}' '${join(compiled, 'cli.js')}' "$@"; }`,
  ]
  const script = [...programs, lines].join('\n')
  const env = { ...firstRunEnvironment(dataDir), ...variables }
  return (await execute('/bin/sh', ['-c', script], { cwd: root, env })).stdout
}

/** Pastes the banner's commands; returns the booking's id. */
async function book(banner: string): Promise<string> {
  const lines = banner.split('\n').filter((line) => line.includes('curl -si'))
  const printed = await paste(lines.join('\n'))
  expect(printed.match(/HTTP\S+ \d+/g)).toEqual(['HTTP/1.1 201', 'HTTP/1.1 202', 'HTTP/1.1 200'])
  expect(printed.match(/"status":"\w+"/g)).toEqual(Array(2).fill('"status":"pending"'))
  return idIn(printed, 'bookingId')
}

const idIn = (printed: string, field: string) =>
  new RegExp(`"${field}":"([^"]+)`).exec(printed)?.[1] ?? `no ${field}`

/** Runs the README's commands in turn with their variables filled in. */
async function doAsTheReadmeSays(banner: string): Promise<void> {
  const { api, key, rental } = stepsOf(banner)
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  const variables: Record<string, string> = {
    API_KEY: key,
    GROUP_ID: idIn(rental, 'assetGroupId'),
  }
  const statuses: string[] = []
  for (const [command] of readme.matchAll(/^ {4}(?:curl|npm run -s rental) (?:.*\\\n)*.*$/gm)) {
    const printed = await paste(
      command.replace('http://127.0.0.1:3000', new URL(api).origin),
      variables,
    )
    statuses.push(...(printed.match(/(?<=HTTP\S+ )\d+/g) ?? []))
    const [, quoteId] = /"quoteId":"([^"]+)/.exec(printed) ?? []
    const [, bookingId] = /"bookingId":"([^"]+)/.exec(printed) ?? []
    const [made] = /pk_live_\w+/.exec(printed) ?? []
    Object.assign(
      variables,
      quoteId && { QUOTE_ID: quoteId },
      bookingId && { BOOKING_ID: bookingId },
    )
    Object.assign(variables, made && { TRIAL_KEY: made })
  }
  expect(statuses).toEqual(['201', '202', '200'])
  expect(await statusOf(banner, variables['BOOKING_ID'] ?? '')).toBe('confirmed')
}

async function statusOf(banner: string, bookingId: string): Promise<string> {
  const { api, headers } = stepsOf(banner)
  const response = await fetch(`${api}/bookings/${bookingId}`, { headers })
  expect(response.status).toBe(200)
  return ((await response.json()) as { data: { status: string } }).data.status
}

/** Checks that the example website loads and that its key opens a session. */
async function visitWebsite(banner: string): Promise<void> {
  const [, url = ''] = /Example website: +(\S+)/.exec(banner) ?? []
  const page = await fetch(url)
  expect(page.status).toBe(200)
  const [, script = ''] = /src="([^"]+)"/.exec(await page.text()) ?? []
  expect((await fetch(url + script)).status).toBe(200)
  const config = (await (await fetch(`${url}/config.json`)).json()) as SiteConfig
  expect(config.config.extras).toContainEqual(expect.objectContaining({ name: 'Child seat' }))
  const session = await fetch(`${config.baseUrl}/api/v1/sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${config.apiKey}`, origin: url },
  })
  expect(session.status).toBe(201)
}

const rental = (...argv: string[]) =>
  execute(process.execPath, [join(compiled, 'cli.js'), ...argv], {
    env: firstRunEnvironment(dataDir),
  })

describe('npm start on a machine with only Node', () => {
  it('confirms a booking with the printed commands, and keeps the demo data between starts', async () => {
    const first = await startFirstRun(dataDir)
    await visitWebsite(first.banner)
    const bookingId = await book(first.banner)
    await doAsTheReadmeSays(first.banner)
    await rental('bookings', 'confirm', bookingId)
    expect(await statusOf(first.banner, bookingId)).toBe('confirmed')

    const second = await startFirstRun(dataDir)
    expect(second.child.exitCode).toBe(1)
    expect(second.banner).toContain('already')

    await stopFirstRun(first)
    const { stdout } = await rental('bookings', 'list', '--tenant', 'fjord-cars', '--json')
    expect(stdout).toContain(bookingId)

    const again = await startFirstRun(dataDir)
    expect(stepsOf(again.banner).key).toBe(stepsOf(first.banner).key)
    expect(await statusOf(again.banner, bookingId)).toBe('confirmed')
    await book(again.banner)
    // The website has another port now, and its key allows the new origin.
    await visitWebsite(again.banner)
    await stopFirstRun(again)
  })
})

const start = async (options?: Parameters<typeof startFirstRun>[1]) => {
  const started = await startFirstRun(dataDir, options)
  onTestFinished(() => void started.child.kill('SIGKILL'))
  return started
}

describe('npm start', () => {
  let directory: string
  beforeAll(async () => {
    // Runs the start script unchanged, without the build.
    directory = await temporaryDirectory('open')
    const { scripts } = JSON.parse(await readFile('package.json', 'utf8'))
    const own = { type: 'module', scripts: { start: scripts.start, build: 'true' } }
    await writeFile(join(directory, 'package.json'), JSON.stringify(own))
    await symlink(compiled, join(directory, 'dist'))
  })
  afterAll(() => remove(directory))

  it.each([
    ['SIGTERM to npm only', 'SIGTERM', (pid: number) => pid],
    ['SIGTERM to the process group', 'SIGTERM', (pid: number) => -pid],
    ['Ctrl-C to the process group', 'SIGINT', (pid: number) => -pid],
  ] as const)('completes the shutdown phases in order on %s', async (_, signal, whom) => {
    const { child, output } = await start({
      command: ['npm', 'start', '--no-update-notifier'],
      env: { npm_config_cache: dataDir },
      cwd: directory,
      detached: true,
    })
    const [, api = ''] = /Rental Booking API: (\S+)\/api/.exec(output()) ?? []
    expect((await fetch(`${api}/healthz`)).status).toBe(200)
    onTestFinished(() => void spawn('kill', ['-KILL', '--', `-${child.pid}`]))
    const ended = once(child, 'close')
    process.kill(whom(child.pid ?? 0), signal)
    await ended
    expect(child.exitCode).toBe(0)
    const phases = ['finish requests', 'close connections', 'stop database']
    const lines = phases.map((phase) => `"phase":"${phase}","outcome":"done"`)
    expect(output()).toMatch(new RegExp(`${lines.join('.*')}.*"stopped"`, 's'))
    await expect(fetch(`${api}/healthz`)).rejects.toThrow()
  })
})
