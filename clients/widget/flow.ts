import type { RentalClient } from '../typescript/index.ts'
import type { OpenConfig } from './config.ts'
import type { Step, Visit } from './store.ts'
import type { Texts } from './texts.ts'

export interface FlowOptions {
  readonly baseUrl: string
  readonly apiKey: string
  readonly config: OpenConfig
  readonly texts: Texts
  /** Under which what was entered is kept. */
  readonly name: string
  /** Shows this booking first. */
  readonly bookingId: string | undefined
  /** Where everything is shown. */
  readonly place: HTMLElement
  /** Ends what goes on when the widget leaves its page. */
  readonly signal: AbortSignal
  /** Tells the page around. */
  emit(event: 'quoted' | 'booked' | 'decided' | 'failed' | 'stepped', detail: unknown): void
}

/** What the steps share, and how one leads to another; its functions may be taken by themselves. */
export interface Flow extends Pick<FlowOptions, 'config' | 'texts' | 'signal' | 'emit'> {
  readonly rental: RentalClient
  readonly visit: Visit
  /** Keeps the visit as it is now. */
  readonly save: () => void
  /** Ends what goes on in a step when the next one is shown. */
  readonly shown: AbortSignal
  /** Whether an instant has passed by the server's clock: a visitor's may be wrong by hours. */
  readonly isPast: (instant: string) => Promise<boolean>
  /** Says something to screen readers that eyes can see elsewhere. */
  readonly announce: (text: string) => void
  /** Goes to a step, or to the last one before it that has what it needs. */
  readonly open: (step: Step) => Promise<void>
  /** The same, where nobody else tells what goes wrong. */
  readonly begin: (step: Step) => Promise<void>
  /** Begins a new visit. */
  readonly restart: () => void
}
