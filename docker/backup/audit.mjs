// Serves the metrics of the backups, and audits the databases that backup.sh has restored.
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'

const status = '/backups/status'
const port = 9188

const say = (level, msg, fields = {}) =>
  process.stdout.write(
    `${JSON.stringify({ time: new Date().toISOString(), level, msg, ...fields })}\n`,
  )

/**
 * Returns the invariants that are broken in a database on the server at `host`.
 * @throws Error if the audit could not run
 */
async function audit(host, database) {
  const url = new URL((await readFile('/run/secrets/database_backup_url', 'utf8')).trim())
  url.host = host
  url.pathname = database
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

/** Audits both databases and returns the status of the response. */
async function auditAll(host) {
  const restored = { 'base backup': 'rental', dump: 'rental_restored' }
  let sound = true
  for (const [what, database] of Object.entries(restored)) {
    const broken = await audit(host, database)
    if (broken.length === 0) say('info', `the restored ${what} is consistent`)
    else say('error', `the restored ${what} is inconsistent`, { broken })
    sound &&= broken.length === 0
  }
  return sound ? 200 : 409
}

async function metrics() {
  const files = (await readdir(status).catch(() => [])).filter((name) => name.endsWith('.prom'))
  return (await Promise.all(files.map((name) => readFile(join(status, name), 'utf8')))).join('')
}

const server = createServer(async (request, response) => {
  if (request.url === '/metrics')
    return response.setHeader('content-type', 'text/plain; version=0.0.4').end(await metrics())
  if (request.method !== 'POST' || request.url !== '/audit') return response.writeHead(404).end()
  const code = await auditAll(request.socket.remoteAddress).catch((error) => {
    say('error', 'the audit failed', { error: error.message })
    return 500
  })
  response.writeHead(code).end()
}).listen(port, '0.0.0.0')
process.once('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
})
