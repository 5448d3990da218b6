import type { RentalClient } from '../typescript/index.ts'
import type { ConfigWithTimeZone } from './config.ts'
import type { Step, Visit } from './store.ts'
import type { Texts } from './texts.ts'

export interface FlowOptions {
  readonly baseUrl: string
  readonly apiKey: string
  readonly config: ConfigWithTimeZone
  readonly texts: Texts
  /** The storage key of the visit. */
  readonly name: string
  readonly bookingId: string | undefined
  readonly place: HTMLElement
  /** Aborts when the widget is removed from its page. */
  readonly signal: AbortSignal
  emit(event: 'quoted' | 'booked' | 'decided' | 'failed' | 'stepped', detail: unknown): void
}

/** The state and functions that the steps share. The functions need no `this`. */
export interface Flow extends Pick<FlowOptions, 'config' | 'texts' | 'signal' | 'emit'> {
  readonly rental: RentalClient
  readonly visit: Visit
  readonly save: () => void
  /** Aborts when the next step is shown. */
  readonly shown: AbortSignal
  /** Compares an instant with the server's clock: the visitor's clock may be wrong. */
  readonly isPast: (instant: string) => Promise<boolean>
  /** Announces a text to screen readers only. */
  readonly announce: (text: string) => void
  /** Shows a step, or the last earlier step if data for the step is missing. */
  readonly open: (step: Step) => Promise<void>
  /** Like `open`, but shows an error in place of the step. */
  readonly begin: (step: Step) => Promise<void>
  readonly restart: () => void
}
