import { describe, expect, it } from 'vitest'
import { checkHistory, type Operation } from './history.ts'

const base: Operation = {
  op: 'book',
  replica: 0,
  scope: 'key/server',
  idem: 'a',
  quoteId: 'q',
  invokedMs: 0,
  completedMs: 10,
  type: 'ok',
  status: 202,
  code: undefined,
  bookingId: 'b',
  body: '{"b"}',
}
const accepted = (values: Partial<Operation> = {}): Operation => ({ ...base, ...values })
const read = (values: Partial<Operation> = {}) => accepted({ op: 'read', status: 200, ...values })
const rejected = (code: string, values: Partial<Operation> = {}) =>
  accepted({ type: 'fail', status: 409, code, bookingId: undefined, body: code, ...values })
const unknown = (values: Partial<Operation> = {}) =>
  accepted({ type: 'info', status: 503, bookingId: undefined, body: '', ...values })
const later = (ms: number) => ({ invokedMs: ms, completedMs: ms + 10 })
const window = { resetAtSeconds: 60, limit: 1 }

const bad: [check: string, history: Operation[]][] = [
  ['one booking per quote', [accepted(), accepted({ idem: 'b', bookingId: 'c' })]],
  ['one quote per booking', [accepted(), accepted({ quoteId: 'r', idem: 'b' })]],
  ['every accepted booking is readable', [accepted()]],
  ['every accepted booking is readable', [accepted(), read({ body: 'another' })]],
  [
    'no QUOTE_ALREADY_USED without a booking',
    [rejected('QUOTE_ALREADY_USED'), accepted({ idem: 'b', ...later(20) })],
  ],
  [
    'no QUOTE_ALREADY_USED without a booking',
    [rejected('QUOTE_ALREADY_USED'), unknown({ idem: 'b' })],
  ],
  ['real-time order', [accepted(), accepted({ idem: 'b', ...later(20) })]],
  ['identical replays', [accepted(), accepted({ body: 'another', ...later(20) })]],
  [
    'no REQUEST_IN_PROGRESS without a running request',
    [rejected('REQUEST_IN_PROGRESS', later(20)), accepted()],
  ],
  [
    'no REQUEST_IN_PROGRESS without a running request',
    [unknown(), rejected('REQUEST_IN_PROGRESS', later(30_000))],
  ],
  ['a retry resolves an unknown outcome', [unknown(), rejected('REQUEST_IN_PROGRESS', later(5))]],
  [
    'no booking after QUOTE_EXPIRED',
    [rejected('QUOTE_EXPIRED'), accepted({ idem: 'b', ...later(20) })],
  ],
  [
    'no window exceeds its limit',
    [accepted({ window }), rejected('QUOTE_ALREADY_USED', { idem: 'b', window })],
  ],
]

const good: [name: string, history: Operation[]][] = [
  ['a booking and its replay', [accepted(), accepted(later(20)), read()]],
  [
    'an accepted and a rejected request for one quote',
    [accepted(), rejected('QUOTE_ALREADY_USED', { idem: 'b' }), read()],
  ],
  ['an unknown outcome that a retry resolves', [unknown(), accepted(later(20)), read()]],
  ['a concurrent request with the same key', [accepted(), rejected('REQUEST_IN_PROGRESS'), read()]],
  ['a rejection and its replay', [rejected('QUOTE_EXPIRED'), rejected('QUOTE_EXPIRED', later(20))]],
]

describe('checkHistory', () => {
  it.each(bad)('reports a violation of "%s"', (check, history) => {
    expect(checkHistory(history).map((violation) => violation.check)).toContain(check)
  })

  it.each(good)('accepts %s', (_, history) => {
    expect(checkHistory(history)).toEqual([])
  })
})
