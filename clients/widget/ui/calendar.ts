import type { Flow } from '../flow.ts'
import type { RangeCalendar } from '../lazy/calendar.ts'
import { firstPickup, lastDate, lastDropoff, todayAt } from '../period.ts'

type Dates = Readonly<Record<string, string>>

/** Loads the calendar when the browser is idle, or when the calendar is opened. */
export function lazyCalendar(flow: Flow, place: HTMLElement, onChoose: (dates: Dates) => void) {
  const { visit, texts } = flow
  let calendar: RangeCalendar | undefined
  let loading: Promise<void> | undefined

  async function load(): Promise<void> {
    // The dates can be typed without the calendar.
    const loaded = await import('../lazy/calendar.ts').catch(() => undefined)
    const root = place.getRootNode()
    // The step may have been left.
    if (!(root instanceof ShadowRoot)) return
    calendar = loaded?.rangeCalendar({
      locale: texts.lang,
      first: firstPickup(flow),
      last: lastDate,
      today: todayAt(flow),
      lastDropoff,
      root,
      texts: { previous: texts.t('previousMonth'), next: texts.t('nextMonth') },
      onChoose: (pickupDate, dropoffDate) =>
        onChoose(dropoffDate === undefined ? { pickupDate } : { pickupDate, dropoffDate }),
    })
    if (calendar) place.replaceChildren(calendar.element)
  }
  function show(): void {
    const { pickupDate, dropoffDate } = visit.fields
    if (pickupDate && dropoffDate) calendar?.show(pickupDate, dropoffDate)
  }
  const idle = globalThis.requestIdleCallback ?? setTimeout
  idle(() => {
    loading ??= load()
    // Loaded before they are needed, too.
    void import('../lazy/steps.ts').catch(() => {})
  })
  return {
    show,
    async open() {
      const root = place.getRootNode() as ShadowRoot
      const { activeElement } = root
      loading ??= load()
      await loading
      show()
      // The visitor may have moved the focus while the calendar was loaded.
      if (root.activeElement === activeElement) await calendar?.focus()
    },
  }
}
