// Checks each restored dump with `rental audit`, and serves the metrics of the backups.
import { execFile } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'

const status = '/backups/status'
const everyMs = 30_000
const port = 9188
/** The result for the newest restored dump; `ok` is undefined until an audit succeeds. */
let checked = { restoredAtMs: 0, ok: undefined }

const say = (level, msg, fields = {}) =>
  process.stdout.write(
    `${JSON.stringify({ time: new Date().toISOString(), level, msg, ...fields })}\n`,
  )

/**
 * Returns the invariants that are broken in the restored database.
 * @throws Error if the audit could not run
 */
async function audit() {
  const url = new URL((await readFile('/run/secrets/database_backup_url', 'utf8')).trim())
  url.pathname = '/rental_restored'
  // An environment variable, because arguments are visible in the process list.
  const env = { PATH: process.env.PATH, DATABASE_URL: url.href }
  const options = { env, maxBuffer: 2 ** 26 }
  const { out, said } = await new Promise((done) =>
    execFile('/usr/local/bin/rental', ['audit', '--json'], options, (failure, out, error) =>
      done({ out, said: error || failure?.message }),
    ),
  )
  if (out === '') throw new Error(said)
  // The exit code is not usable: it is also 1 for overbookings, which staff may cause deliberately.
  return JSON.parse(out).invariants.filter((invariant) => invariant.broken !== 0)
}

async function look() {
  const { mtimeMs } = await stat(join(status, 'restored')).catch(() => ({ mtimeMs: 0 }))
  if (mtimeMs === checked.restoredAtMs) return
  checked = { ...checked, ok: undefined }
  // The restore is running or was interrupted.
  if (mtimeMs === 0) return
  const broken = await audit()
  const ok = broken.length === 0
  checked = { restoredAtMs: mtimeMs, ok }
  say(ok ? 'info' : 'error', `the restored dump is ${ok ? 'consistent' : 'inconsistent'}`, {
    ...(!ok && { broken }),
  })
}

async function metrics() {
  const files = (await readdir(status).catch(() => [])).filter((name) => name.endsWith('.prom'))
  const texts = await Promise.all(files.map((name) => readFile(join(status, name), 'utf8')))
  const sound =
    checked.ok === undefined ? '' : `rental_backup_restored_sound ${Number(checked.ok)}\n`
  return texts.join('') + sound
}

// Not setInterval: an audit may take longer than the interval.
async function keepLooking() {
  await look().catch((error) => say('error', 'the check failed', { error: error.message }))
  setTimeout(keepLooking, everyMs).unref()
}
await keepLooking()
const server = createServer(async (request, response) => {
  if (request.url !== '/metrics') return response.writeHead(404).end()
  response.setHeader('content-type', 'text/plain; version=0.0.4').end(await metrics())
}).listen(port, '0.0.0.0')
process.once('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
})
