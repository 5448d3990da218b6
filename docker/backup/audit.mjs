// Serves the metrics of the backups, and audits the databases that backup.sh has restored.
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'

const status = '/backups/status/'
const say = (level, msg, fields) => {
  const line = JSON.stringify({ time: new Date().toISOString(), level, msg, ...fields })
  process.stdout.write(`${line}\n`)
}

/**
 * Reports whether the invariants of a database on the server at `host` hold.
 * @throws Error if the audit could not run
 */
async function audit(host, database, what) {
  const url = new URL((await readFile('/run/secrets/database_backup_url', 'utf8')).trim())
  url.host = host
  url.pathname = database
  // An environment variable, because arguments are visible in the process list.
  const options = { env: { PATH: process.env.PATH, DATABASE_URL: url.href }, maxBuffer: 2 ** 26 }
  const out = await new Promise((done, fail) =>
    execFile('/usr/local/bin/rental', ['audit', '--json'], options, (failure, out, error) =>
      out === '' ? fail(new Error(error || failure?.message)) : done(out),
    ),
  )
  // The exit code is not usable: it is also 1 for overbookings, which staff may cause deliberately.
  const broken = JSON.parse(out).invariants.filter((invariant) => invariant.broken !== 0)
  if (broken.length === 0) say('info', `the restored ${what} is consistent`)
  else say('error', `the restored ${what} is inconsistent`, { broken })
  return broken.length === 0
}
createServer(async (request, response) => {
  if (request.url === '/metrics') {
    const names = await readdir(status).catch(() => [])
    const files = names
      .filter((name) => name.endsWith('.prom'))
      .map((name) => readFile(status + name))
    return response
      .setHeader('content-type', 'text/plain; version=0.0.4')
      .end((await Promise.all(files)).join(''))
  }
  if (request.method !== 'POST' || request.url !== '/audit') return response.writeHead(404).end()
  try {
    const base = await audit(request.socket.remoteAddress, 'rental', 'base backup')
    const dump = await audit(request.socket.remoteAddress, 'rental_restored', 'dump')
    response.writeHead(base && dump ? 200 : 409).end()
  } catch (error) {
    say('error', 'the audit failed', { error: error.message })
    response.writeHead(500).end()
  }
}).listen(9188, '0.0.0.0')
