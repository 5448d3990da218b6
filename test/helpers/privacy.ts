import { Writable } from 'node:stream'
import type { Logger } from 'pino'
import { createLog } from '../../src/telemetry/log.ts'
import { customer } from './actors.ts'
import type { Exchange } from './contract.ts'

const personal = `${customer.lastName}|${customer.email}|12 34 56 78`

/** Data that must not be logged: keys, session tokens and customers' data. */
const loggedSecrets = new RegExp(`pk_live_\\w{8,}|eyJ[\\w-]+\\.eyJ|${personal}`, 'i')

/** Data that no response may contain: keys and customers' data. */
const responseSecrets = new RegExp(`pk_live_\\w{8,}|${personal}`, 'i')

/** Returns a log at level `trace` without output. Lines with secrets are added to `problems`. */
export function watchedLog(problems: string[]): Logger {
  const sink = new Writable({
    decodeStrings: false,
    write(line: string, _encoding, done) {
      if (loggedSecrets.test(line)) problems.push(`The log contains: ${line}`)
      done()
    },
  })
  return createLog('trace', sink)
}

/** Returns the secrets found in a response of the API, as problems. */
export function privacyProblems({ method, url, headers, body }: Exchange): string[] {
  if (!url.startsWith('/api/')) return []
  const found = responseSecrets.exec(JSON.stringify(headers) + body)
  return found === null ? [] : [`${method} ${url}: the response contains ${found[0]}`]
}
