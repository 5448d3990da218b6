/** The three clients: a partner's server and two visitors of a website, all with one key. */
export const actors = ['server', 'visitor one', 'visitor two'] as const
export type ActorName = (typeof actors)[number]

export type Command =
  | { readonly name: 'quote'; readonly by: ActorName }
  | { readonly name: 'book'; readonly by: ActorName; readonly quote: number; readonly key: string }
  | { readonly name: 'replay'; readonly nth: number }
  | { readonly name: 'expire'; readonly quote: number }
  | { readonly name: 'revoke' }
  | { readonly name: 'read'; readonly nth: number }

export type BookCommand = Extract<Command, { name: 'book' }>

export interface Expected {
  readonly outcome:
    | '202'
    | 'QUOTE_NOT_FOUND'
    | 'QUOTE_SESSION_MISMATCH'
    | 'QUOTE_ALREADY_USED'
    | 'QUOTE_EXPIRED'
    | 'IDEMPOTENCY_KEY_REUSED'
    | 'API_KEY_REVOKED'
  /** The response that must be replayed with identical bytes. */
  readonly replayOf?: string | undefined
}

interface Quote {
  readonly owner: ActorName
  expired: boolean
  used: boolean
}

/** A model of the server's state: the quotes, bookings and recorded responses. */
export class Model {
  readonly quotes: Quote[] = []
  readonly sent: BookCommand[] = []
  readonly bookings: string[] = []
  revoked = false
  private readonly records = new Map<string, { quote: number; expected: Expected; body: string }>()

  /** Returns the expected response to a booking request. */
  expect({ by, quote, key }: BookCommand): Expected {
    if (this.revoked) return { outcome: 'API_KEY_REVOKED' }
    const record = this.records.get(`${by}/${key}`)
    if (record !== undefined) {
      return record.quote === quote
        ? { ...record.expected, replayOf: record.body }
        : { outcome: 'IDEMPOTENCY_KEY_REUSED' }
    }
    const found = this.quotes[quote]
    if (found === undefined) return { outcome: 'QUOTE_NOT_FOUND' }
    if (found.owner !== by) return { outcome: 'QUOTE_SESSION_MISMATCH' }
    if (found.used) return { outcome: 'QUOTE_ALREADY_USED' }
    return { outcome: found.expired ? 'QUOTE_EXPIRED' : '202' }
  }

  /** Records a response that was as expected. */
  record(command: BookCommand, expected: Expected, body: string): void {
    const { by, quote, key } = command
    this.sent.push(command)
    const unrecorded = ['IDEMPOTENCY_KEY_REUSED', 'API_KEY_REVOKED'].includes(expected.outcome)
    if (unrecorded || expected.replayOf !== undefined) return
    this.records.set(`${by}/${key}`, { quote, expected, body })
    if (expected.outcome !== '202') return
    const used = this.quotes[quote]
    if (used !== undefined) used.used = true
    this.bookings.push(body)
  }
}
