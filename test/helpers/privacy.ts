import { Writable } from 'node:stream'
import type { Logger } from 'pino'
import { createLog } from '../../src/telemetry/log.ts'
import { customer } from './actors.ts'
import type { Exchange } from './contract.ts'

const personal = `${customer.lastName}|${customer.email}|12 34 56 78`

/** What no log may hold: keys, session tokens, and the customer of most tests. */
const loggedSecrets = new RegExp(`pk_live_\\w{8,}|eyJ[\\w-]+\\.eyJ|${personal}`, 'i')

/** What no answer may hold: whoever asks, customers are the staff's business. */
const answeredSecrets = new RegExp(`pk_live_\\w{8,}|${personal}`, 'i')

/** A log at full length that goes nowhere; `problems` gets every line that says too much. */
export function watchedLog(problems: string[]): Logger {
  const sink = new Writable({
    decodeStrings: false,
    write(line: string, _encoding, done) {
      if (loggedSecrets.test(line)) problems.push(`The log says: ${line}`)
      done()
    },
  })
  return createLog('trace', sink)
}

/** Whether an answer of the API tells what it should not. */
export function privacyProblems({ method, url, headers, body }: Exchange): string[] {
  if (!url.startsWith('/api/')) return []
  const told = answeredSecrets.exec(JSON.stringify(headers) + body)
  return told === null ? [] : [`${method} ${url}: the answer says ${told[0]}`]
}
