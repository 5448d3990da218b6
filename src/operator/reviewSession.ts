import { findPendingIds } from '../db/bookingList.ts'
import type { Database } from '../db/client.ts'
import { isDatabaseUnavailable } from '../db/failures.ts'
import { findRecentReasons } from '../db/review.ts'
import { shortId } from '../domain/ids.ts'
import { Refusal } from '../services/refusal.ts'
import { type Decision, type ReviewedBooking, reviewBooking } from '../services/reviewBooking.ts'
import { type BookingPage, showBooking } from '../services/showBooking.ts'
import { bookingPage } from './bookingPage.ts'
import { visible } from './cell.ts'
import type { Prompts } from './reviewPrompts.ts'
import { wrap } from './wrap.ts'

const reasonsMax = 5
/** Instead of a key: somebody else did something meanwhile. */
const newsKey = 'news'

export interface ReviewSession {
  readonly database: Database
  readonly prompts: Prompts
  readonly tenantId: string
  readonly actor: string
  /** The width of the terminal, which may change. */
  columns(): number | undefined
  /** How often the database is asked for news while a key is waited for. */
  readonly pollMs: number
  now(): Date
}

/** Where somebody is in a review. */
interface Position {
  readonly skipped: Set<string>
  /** What was looked at before, the latest last. */
  readonly seen: string[]
  readonly decided: ReviewedBooking[]
  words: readonly string[]
  /** The booking to show next, instead of the first in the queue. */
  current: string | undefined
  /** What is said above the keys. */
  notice: string
}

/**
 * Shows one pending booking after the other and does what the keys say, until `q`. The queue is read
 * anew each time, so new bookings join. Returns what was decided.
 */
export async function review(session: ReviewSession): Promise<ReviewedBooking[]> {
  const position: Position = {
    ...{ skipped: new Set<string>(), seen: [], decided: [], words: [] },
    ...{ current: undefined, notice: '' },
  }
  for (let going = true; going; ) {
    try {
      going = await step(session, position)
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      // What was decided is decided; of the last key nobody knows, so the booking is shown again.
      const question = 'The database is unavailable. Any key: try again, q: quit '
      going = (await session.prompts.key(question, new AbortController().signal)) !== 'q'
    }
  }
  return position.decided
}

async function step(session: ReviewSession, position: Position): Promise<boolean> {
  const { database, tenantId, prompts } = session
  const queue = await findPendingIds(database, tenantId, position.words)
  const waiting = queue.filter((id) => !position.skipped.has(id))
  const id = position.current ?? waiting[0]
  if (id === undefined) return idle(session, position, queue)
  position.current = id
  const page = await showBooking(database, { tenantId, id }, session.now())
  const lines = bookingPage(page, session.now(), session.columns()).trimEnd().split('\n')
  const key = await turnPages(session, position, lines, page, queue)
  position.notice = ''
  return act(session, position, page, key, () => prompts.line('Find: '))
}

/** Shows the page, in parts where the screen is too small, until a key says more than "go on". */
async function turnPages(
  session: ReviewSession,
  position: Position,
  lines: readonly string[],
  page: BookingPage,
  queue: readonly string[],
): Promise<string> {
  const { database, prompts, tenantId } = session
  const isDecided = async () =>
    page.status === 'pending' && !(await findPendingIds(database, tenantId, [])).includes(page.id)
  const rows = prompts.rows()
  const notice = position.notice === '' ? [] : wrap(position.notice, session.columns())
  // Beside it there are the notice, the keys, and a row for what is typed.
  const room = rows === undefined ? lines.length : Math.max(5, rows - 2 - notice.length)
  const tight = lines.length > room
  const shown = tight ? lines.filter((line) => line !== '') : lines
  for (let from = 0; ; from = from + room < shown.length ? from + room : 0) {
    const part = shown.slice(from, from + room)
    const more = shown.length > room ? '  space more' : ''
    prompts.show([...part, ...notice, ''].join('\n'))
    const question = `c confirm  r reject  s skip  b back  f find  q quit${more} [${queue.length}] `
    const key = await keyOrNews(session, question, isDecided)
    if (key !== ' ') return key
  }
}

/** Waits for a key, and for what others do meanwhile. */
async function keyOrNews(
  { prompts, pollMs }: ReviewSession,
  question: string,
  isNews: () => Promise<boolean>,
): Promise<string> {
  const news = new AbortController()
  const poll = async () => {
    if (await isNews()) news.abort()
  }
  // A database that is away is told when a key needs it.
  const timer = setInterval(() => void poll().catch(() => {}), pollMs)
  try {
    const key = await prompts.key(question, news.signal)
    return key === '' && news.signal.aborted ? newsKey : key
  } finally {
    clearInterval(timer)
  }
}

async function idle(
  session: ReviewSession,
  position: Position,
  queue: readonly string[],
): Promise<boolean> {
  const found = position.words.length > 0 ? ` with "${position.words.join(' ')}"` : ''
  const skipped = queue.length > 0 ? `, ${queue.length} skipped (s shows them again)` : ''
  const state = `Nothing more is pending${found}${skipped}. New bookings appear here.`
  const lines = [position.notice, state].flatMap((text) => wrap(text, session.columns()))
  session.prompts.show(`${lines.join('\n')}\n`)
  position.notice = ''
  const { database, tenantId } = session
  const hasMore = async () =>
    (await findPendingIds(database, tenantId, position.words)).some((id) => !queue.includes(id))
  const key = await keyOrNews(session, 's start again  b back  f find  q quit ', hasMore)
  if (key === 's') position.skipped.clear()
  if (key === 's') position.words = []
  if (key === 'b') position.current = position.seen.pop()
  if (key === 'f') await find(position, () => session.prompts.line('Find: '))
  return key !== 'q'
}

/** Does what a key says; false: quit. */
async function act(
  session: ReviewSession,
  position: Position,
  page: BookingPage,
  key: string,
  ask: () => Promise<string | undefined>,
): Promise<boolean> {
  if (key === 'q') return false
  if (key === 'c') await decide(session, position, page, 'confirm', null)
  else if (key === 'r') {
    const reason = await askReason(session)
    if (reason !== undefined) await decide(session, position, page, 'reject', reason)
  } else if (key === 's') leave(position, page.id)
  else if (key === 'b') position.current = position.seen.pop() ?? page.id
  else if (key === 'f') await find(position, ask)
  else if (key === newsKey) position.notice = 'Somebody else has just decided about this booking.'
  else if (key !== '') position.notice = `"${key}" is none of the keys.`
  return true
}

function leave(position: Position, id: string): void {
  position.skipped.add(id)
  position.seen.push(id)
  position.current = undefined
}

async function find(position: Position, ask: () => Promise<string | undefined>): Promise<void> {
  const typed = await ask()
  if (typed === undefined) return
  position.words = typed.split(/\s+/).filter(Boolean)
  position.skipped.clear()
  position.current = undefined
}

async function askReason({ database, prompts, tenantId }: ReviewSession) {
  const recent = await findRecentReasons(database, tenantId, reasonsMax)
  const list = recent.map((reason, index) => `  ${index + 1}  ${visible(reason)}\n`).join('')
  const numbers = recent.length > 0 ? 'A number, or any text' : 'Any text'
  const typed = await prompts.line(`\n${list}${numbers}; nothing: no reason; a dot: back\nReason: `)
  const chosen = /^\d$/.test(typed ?? '') ? recent[Number(typed) - 1] : undefined
  return chosen ?? typed
}

async function decide(
  { database, actor }: ReviewSession,
  position: Position,
  { id }: BookingPage,
  decision: Decision,
  reason: string | null,
): Promise<void> {
  try {
    const reviewed = await reviewBooking(database, { bookingId: id, decision, actor, reason })
    position.decided.push(reviewed)
    position.notice = `Booking ${shortId(id)} is ${reviewed.status}.`
    leave(position, id)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    position.notice = error.message
  }
}
