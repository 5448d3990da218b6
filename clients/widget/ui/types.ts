import type { Problem } from '../explain.ts'
import type { MessageId } from '../messages/en.ts'
import type { PeriodError } from '../period.ts'
import type { Step } from '../visit.ts'

/** A wish of the visitor that a button starts. */
export interface Task {
  /** Returns the text of the button while the task runs. */
  progress?(): MessageId
  run(wish: AbortSignal): Promise<void>
  /** Runs after a problem was shown. */
  onProblem?(problem: Problem): void
  /** Whether the request is sent again by itself when the network is back. */
  readonly resumes?: boolean
}

/** `isPrimary`: after an error, the button itself offers the retry. */
export type Attempt = (button: HTMLButtonElement, task: Task, isPrimary?: boolean) => Promise<void>

/** The last row of a form. */
export interface Bar {
  /** The choices so far. */
  readonly summary?: HTMLElement
  readonly onward: string
  readonly back?: Step | undefined
}

export interface Submission extends Bar, Task {
  readonly form: HTMLFormElement
}

/** The part of a step that shows its problems. */
export interface Notice {
  readonly element: HTMLElement
  /**
   * `resumes`: retries by itself when the network is back. `offered`: the button that offers the retry
   * until the notice is cleared; by default, the notice has its own.
   */
  show(problem: Problem, retry?: () => void, resumes?: boolean, offered?: HTMLButtonElement): void
  clear(): void
}

export interface PeriodControl {
  /** The button that shows the period and opens its dialog. */
  readonly element: HTMLButtonElement
  /** Shows the entered period. */
  show(): void
  /** Opens the dialog, with an error if one is given. */
  open(wish: AbortSignal, error?: PeriodError): Promise<void>
}
