import type { Fields } from '../config.ts'
import type { Flow } from '../flow.ts'
import { loadSteps } from '../loadSteps.ts'
import { enteredLength, type Moment, type PeriodError, periodOf } from '../period.ts'
import { button, make } from './dom.ts'
import type { Attempt, PeriodControl, Task } from './types.ts'

/**
 * Returns a button with the period, and adds the dialog in which it is changed to `place`. Opening it
 * is a wish, which ends a running search. `onClose` follows each closing, with whether the visitor wants to
 * go on.
 */
export function periodControl(
  flow: Flow,
  place: HTMLElement,
  attempt: Attempt,
  onClose: (isDone: boolean) => void,
): PeriodControl {
  const { visit } = flow
  const opening: Task = { run: (wish) => open(wish), resumes: true }
  const element: HTMLButtonElement = button('', () => attempt(element, opening), 'when')

  const show = () => showPeriod(flow, element)
  async function open(wish: AbortSignal, error?: PeriodError): Promise<void> {
    const { openPeriod } = await loadSteps(wish)
    wish.throwIfAborted()
    openPeriod(
      flow,
      place,
      (dates, isDone) => {
        Object.assign(visit.fields, dates)
        visit.save()
        show()
        onClose(isDone)
      },
      error,
    )
  }
  show()
  return { element, show, open }
}

/** Shows the calendar in the page. Calls `onChange` with the first and each changed period. */
export async function openInline(
  flow: Flow,
  place: HTMLElement,
  wish: AbortSignal,
  onChange: (dates: Fields) => void,
  error?: PeriodError,
): Promise<void> {
  const { openPeriod } = await loadSteps(wish)
  wish.throwIfAborted()
  openPeriod(flow, place, (dates) => dates && onChange(dates), error, true)
}

/** Writes out the entered period. */
function showPeriod({ config, texts, visit }: Flow, place: HTMLElement): void {
  const { t, day, clock, length } = texts
  const { fields } = visit
  const period = periodOf(config, fields)
  const part = (name: Moment) => {
    const date = make('b', {}, period ? day(period[`${name}Datetime`]) : '—')
    const time = make('span', {}, period && clock(fields[`${name}Time`] ?? ''))
    return make('span', {}, make('small', {}, t(name)), date, ' ', time)
  }
  place.replaceChildren(
    part('pickup'),
    make('span', { className: 'arrow' }),
    part('dropoff'),
    make('span', { className: 'length' }, period && length(...enteredLength(config, fields))),
  )
}
