import type { Connection, Reads } from '../typescript/connection.ts'
import type { Booking } from '../typescript/index.ts'
import type { ConfigWithTimeZone, Fields } from './config.ts'
import type { explain } from './explain.ts'
import type * as period from './period.ts'
import type { PeriodError } from './period.ts'
import type { Given } from './prefill.ts'
import type { RentalEvents } from './rental-booking.d.ts'
import type { ServerClock } from './serverClock.ts'
import type { Texts } from './texts.ts'
import type { isField, markField } from './ui/field.ts'
import type { Attempt, Notice, PeriodControl, Submission } from './ui/types.ts'
import type { openSearch, Search } from './vehicles.ts'
import type { Step, Visit } from './visit.ts'

/** The links of the page that the widget shows. */
interface Links {
  readonly termsUrl: string | null
  readonly privacyUrl: string | null
  /** A telephone number, an e-mail address or both, separated by a comma. */
  readonly contact: string | null
}

export interface FlowOptions {
  readonly baseUrl: string
  readonly apiKey: string
  readonly config: ConfigWithTimeZone
  readonly texts: Texts
  /** The preferred languages of names, as in the header Accept-Language. */
  readonly language: string
  readonly links: Links
  /** The page's own number of the booking. */
  readonly reference: string | null
  /** The storage key of the visit. */
  readonly name: string
  readonly bookingId: string | undefined
  readonly given: Given
  /** The only vehicle class of the page. */
  readonly only: string | undefined
  readonly place: HTMLElement
  /** Aborts when the widget is removed from its page. */
  readonly signal: AbortSignal
  /** Adds a style sheet to the widget, once. */
  readonly adopt: (sheet: CSSStyleSheet) => void
  emit(event: keyof RentalEvents, detail: unknown): void
}

type Received = 'config' | 'texts' | 'links' | 'reference' | 'signal' | 'emit' | 'adopt'

type PeriodRules =
  | 'adjustDropoff'
  | 'alignPickup'
  | 'enteredLength'
  | 'firstPickup'
  | 'hoursAt'
  | 'nearestTime'
  | 'openDate'
  | 'periodError'
  | 'periodOf'
  | 'timesOn'
  | 'todayAt'

/**
 * Functions of the main file that the files loaded later use, so that those have no copies. Keep their
 * signatures compatible: a file of another release may call them.
 */
interface Shared extends Pick<typeof period, PeriodRules> {
  readonly explain: typeof explain
  readonly isField: typeof isField
  readonly markField: typeof markField
  attempts(flow: Flow, form: HTMLFormElement): { notice: HTMLElement; attempt: Attempt }
  stationLine(flow: Pick<Flow, 'config' | 'texts'>): HTMLElement | undefined
  noticeOf(flow: Pick<Flow, 'texts' | 'announce' | 'links'>): Notice
  onSubmit(
    flow: Flow,
    submission: Submission,
  ): { submit: HTMLButtonElement; goBack?: HTMLButtonElement | undefined; attempt: Attempt }
  openInline(
    flow: Flow,
    place: HTMLElement,
    wish: AbortSignal,
    onChange: (dates: Fields) => void,
    error?: PeriodError,
  ): Promise<void>
  periodControl(
    flow: Flow,
    place: HTMLElement,
    attempt: Attempt,
    onClose: (isDone: boolean) => void,
  ): PeriodControl
}

/** The state and functions that the steps share. The functions need no `this`. */
export interface Flow extends Pick<FlowOptions, Received> {
  readonly connection: Connection
  readonly rental: Reads
  readonly visit: Visit
  readonly clock: ServerClock
  readonly shared: Shared
  readonly search: ReturnType<typeof openSearch>
  /** The only vehicle class that is offered, so that there is no step to choose one. */
  only: string | undefined
  /** The last search, with all vehicles that are loaded. */
  found: Search | undefined
  /** The language of the vehicles' names if it is not the widget's. */
  readonly namesLang: string | undefined
  /** Aborts when the next step is shown. */
  readonly shown: AbortSignal
  /** Announces a text to screen readers only. */
  readonly announce: (text: string) => void
  /**
   * Starts the visitor's newest wish. Ends the wish before, by its signal, and its requests. Change the
   * fields of the visit before: a wish shows and sends what they contain.
   */
  readonly wish: () => AbortSignal
  /** Shows a step for a wish, or the last earlier step if data for the step is missing. */
  readonly open: (step: Step, wish: AbortSignal) => Promise<void>
  /** Shows a step as a wish of its own. Shows an error in place of the step. */
  readonly begin: (step: Step) => Promise<void>
  /** Sends a booking and shows it, once for all calls during the request. */
  readonly book: (send: () => Promise<Booking>, wish: AbortSignal) => Promise<void>
  readonly restart: () => void
}
