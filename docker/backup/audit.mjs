// Checks each restored dump with `rental audit`, and tells Prometheus how the backups stand.
import { execFile } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'

const status = '/backups/status'
const everyMs = 30_000
const port = 9188
/** What is known of the newest restored dump: nothing until it could be asked. */
let checked = { restoredAtMs: 0, ok: undefined }

const say = (level, msg, fields = {}) =>
  process.stdout.write(
    `${JSON.stringify({ time: new Date().toISOString(), level, msg, ...fields })}\n`,
  )

/** What `rental audit` finds broken in the restored copy; throws when that could not be asked. */
async function audit() {
  const url = new URL((await readFile('/run/secrets/database_backup_url', 'utf8')).trim())
  url.pathname = '/rental_restored'
  // As a variable and not as an option, which the list of processes would show.
  const env = { PATH: process.env.PATH, DATABASE_URL: url.href }
  const options = { env, maxBuffer: 2 ** 26 }
  const { out, said } = await new Promise((done) =>
    execFile('/usr/local/bin/rental', ['audit', '--json'], options, (failure, out, error) =>
      done({ out, said: error || failure?.message }),
    ),
  )
  // A database that does not answer is no finding (decision 493).
  if (out === '') throw new Error(said)
  // Not by its exit code: an overbooking sets it too, as staff make one by blocking a vehicle.
  return JSON.parse(out).invariants.filter((invariant) => invariant.broken !== 0)
}

async function look() {
  const { mtimeMs } = await stat(join(status, 'restored')).catch(() => ({ mtimeMs: 0 }))
  if (mtimeMs === checked.restoredAtMs) return
  checked = { ...checked, ok: undefined }
  // It is being restored, or that was interrupted.
  if (mtimeMs === 0) return
  const broken = await audit()
  const ok = broken.length === 0
  checked = { restoredAtMs: mtimeMs, ok }
  say(ok ? 'info' : 'error', ok ? 'the restored dump is sound' : 'the restored dump is not sound', {
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

// The next look begins when this one has ended: an audit may take longer than the pause.
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
