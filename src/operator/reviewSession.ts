import { setTimeout as delay } from 'node:timers/promises'
import { findPendingIds } from '../db/bookingList.ts'
import type { Database } from '../db/client.ts'
import { isDatabaseUnavailable } from '../db/failures.ts'
import { findRecentReasons } from '../db/review.ts'
import { shortId } from '../domain/ids.ts'
import { Refusal } from '../services/refusal.ts'
import { type Review, type ReviewedBooking, reviewBooking } from '../services/reviewBooking.ts'
import { type BookingPage, showBooking } from '../services/showBooking.ts'
import { bookingPage } from './bookingPage.ts'
import { harmless, visible, wrapPairs } from './cell.ts'
import type { Prompts } from './prompts.ts'

const reasonsMax = 5
/** How often the database is asked for news while a key is waited for. */
const pollMs = 2_000
/** Instead of a key: somebody else did something meanwhile. */
const newsKey = 'news'

interface ReviewSession {
  readonly database: Database
  readonly prompts: Prompts
  readonly tenantId: string
  readonly actor: string
  /** The width of the terminal, which may change. */
  columns(): number | undefined
  now(): Date
}

const atStart = () => ({
  skipped: new Set<string>(),
  /** What was looked at before, the latest last. */
  seen: [] as string[],
  decided: [] as ReviewedBooking[],
  words: [] as string[],
  /** The booking to show next, instead of the first in the queue. */
  current: undefined as string | undefined,
  /** What is said above the keys. */
  notice: '',
})

type Reviewer = ReviewSession & ReturnType<typeof atStart>

/**
 * Shows one pending booking after the other and does what the keys say, until `q`. The queue is read
 * anew each time, so new bookings join. Returns what was decided.
 */
export async function review(session: ReviewSession): Promise<ReviewedBooking[]> {
  const reviewer = { ...session, ...atStart() }
  for (let going = true; going; ) {
    try {
      going = await step(reviewer)
    } catch (error) {
      if (error instanceof Refusal) reviewer.notice = error.message
      else if (isDatabaseUnavailable(error)) {
        // Whether the last decision was stored nobody knows: its booking is shown again.
        const away = 'The database is unavailable. Any key: try again, q: quit '
        const question = harmless(away, session.columns())
        going = (await session.prompts.key(question, new AbortController().signal)) !== 'q'
      } else throw error
    }
  }
  return reviewer.decided
}

/** Shows the next booking, or that there is none, and does what the key says; false: quit. */
async function step(reviewer: Reviewer): Promise<boolean> {
  const { database, tenantId, words, skipped } = reviewer
  const queue = await findPendingIds(database, tenantId, words)
  const id = reviewer.current ?? queue.find((waiting) => !skipped.has(waiting))
  // One that is gone, with a database that another has replaced, is not looked for again.
  reviewer.current = undefined
  const page = id && (await showBooking(database, { tenantId, id }, reviewer.now()))
  reviewer.current = id
  const key = page ? await turnPages(reviewer, page, queue.length) : await idle(reviewer, queue)
  if (key !== '') reviewer.notice = ''
  await act(reviewer, id, key)
  return key !== 'q'
}

/** Shows the page, in parts where the screen is too small, until a key says more than "go on". */
async function turnPages(reviewer: Reviewer, page: BookingPage, waiting: number): Promise<string> {
  const { database, prompts, tenantId, words } = reviewer
  const isDecided = async () =>
    page.status === 'pending' && !(await findPendingIds(database, tenantId, [])).includes(page.id)
  const columns = reviewer.columns()
  const text = bookingPage(page, reviewer.now(), columns).trimEnd()
  const lines = harmless(text, columns).split('\n')
  const notice = reviewer.notice === '' ? [] : harmless(reviewer.notice, columns).split('\n')
  const decide = page.status === 'pending' ? 'c confirm  r reject  ' : ''
  const left = words.length > 0 ? `${waiting} found` : waiting
  const keys = (more: string) =>
    wrapPairs(`${decide}s skip  b back  f find  q quit${more} [${left}] `, columns)
  const keysAndMore = keys('  space more')
  // Beside it there are the notice, the keys, and a row for what is typed.
  const taken = notice.length + keysAndMore.length + 1
  const room = Math.max(5, prompts.rows() - taken)
  const shown = lines.length > room ? lines.filter((line) => line !== '') : lines
  for (let from = 0; ; from = from + room < shown.length ? from + room : 0) {
    const part = shown.slice(from, from + room)
    prompts.show([...part, ...notice, ''].join('\n'))
    const question = shown.length > room ? keysAndMore : keys('')
    const key = await keyOrNews(prompts, question.join('\n'), isDecided)
    if (key !== ' ') return key
  }
}

/** Waits for a key, and for what others do meanwhile. */
async function keyOrNews(prompts: Prompts, question: string, isNews: () => Promise<boolean>) {
  const [news, answered] = [new AbortController(), new AbortController()]
  const look = async () => {
    while (!news.signal.aborted) {
      await delay(pollMs, undefined, { signal: answered.signal })
      // A database that is away is told when a key needs it.
      if (await isNews().catch(() => false)) news.abort()
    }
  }
  look().catch(() => {})
  try {
    const key = await prompts.key(question, news.signal)
    return key === '' && news.signal.aborted ? newsKey : key
  } finally {
    answered.abort()
  }
}

/** Says that there is none to decide on, until there is or a key is pressed. */
async function idle(reviewer: Reviewer, queue: readonly string[]): Promise<string> {
  const { database, prompts, tenantId, words } = reviewer
  const found = words.length > 0 ? ` with "${words.join(' ')}"` : ''
  const skipped = queue.length > 0 ? `, ${queue.length} skipped (s shows them again)` : ''
  const state = `Nothing more is pending${found}${skipped}. New bookings appear here.`
  prompts.show(`${harmless(`${reviewer.notice}\n${state}`, reviewer.columns())}\n`)
  const hasMore = async () =>
    (await findPendingIds(database, tenantId, words)).some((id) => !queue.includes(id))
  return keyOrNews(prompts, 's start again  b back  f find  q quit ', hasMore)
}

async function act(reviewer: Reviewer, id: string | undefined, key: string): Promise<void> {
  if (key === 'b') reviewer.current = reviewer.seen.pop() ?? id
  else if (key === 'f') await find(reviewer)
  else if (id === undefined) {
    if (key === 's') search(reviewer, [])
  } else if (key === 'c') await decide(reviewer, { bookingId: id, decision: 'confirm' })
  else if (key === 'r') {
    const reason = await askReason(reviewer)
    if (reason !== undefined) await decide(reviewer, { bookingId: id, decision: 'reject', reason })
  } else if (key === 's') leave(reviewer, id)
  else if (key === newsKey) reviewer.notice = 'Someone else has just decided on this booking.'
  else if (key !== '' && key !== 'q') reviewer.notice = `"${key}" is not one of the keys.`
}

function leave(reviewer: Reviewer, id: string): void {
  reviewer.skipped.add(id)
  reviewer.seen.push(id)
  reviewer.current = undefined
}

async function find(reviewer: Reviewer): Promise<void> {
  const typed = await reviewer.prompts.line('Find (Enter for all, . to go back): ')
  if (typed !== undefined) search(reviewer, typed.split(/\s+/).filter(Boolean))
}

function search(reviewer: Reviewer, words: string[]): void {
  reviewer.words = words
  reviewer.skipped.clear()
  reviewer.current = undefined
}

async function askReason(reviewer: Reviewer) {
  const { database, prompts, tenantId } = reviewer
  const recent = await findRecentReasons(database, tenantId, reasonsMax)
  const list = recent.map((reason, index) => `  ${index + 1}  ${visible(reason)}\n`).join('')
  const numbers = recent.length > 0 ? 'A number, or any text' : 'Any text'
  const question = `\n${list}${numbers}; Enter for no reason, . to go back\nReason: `
  const typed = await prompts.line(harmless(question, reviewer.columns()))
  if (typed === undefined || recent.length === 0 || !/^\d+$/.test(typed)) return typed
  const chosen = recent[Number(typed) - 1]
  // A slip must not be what a customer is declined with.
  if (chosen === undefined) reviewer.notice = `There is no reason ${typed}.`
  return chosen
}

async function decide(reviewer: Reviewer, review: Omit<Review, 'actor'>): Promise<void> {
  const { database, actor } = reviewer
  const reviewed = await reviewBooking(database, { ...review, actor })
  reviewer.decided.push(reviewed)
  reviewer.notice = `Booking ${shortId(reviewed.id)} is ${reviewed.status}.`
  leave(reviewer, reviewed.id)
}
