import type { Flow } from '../flow.ts'
import type { Step, Visit } from '../visit.ts'
import { make } from './dom.ts'
import { isField } from './field.ts'
import { footer } from './parts.ts'
import { showProgress } from './progress.ts'
import { skeleton } from './skeleton.ts'

/** Fills the widget with the parts around its steps. Returns functions that change the parts. */
export function createFrame(flow: Flow, place: HTMLElement) {
  const progress = make('nav', { className: 'progress' })
  const announcer = make('p', { className: 'unseen', role: 'status' })
  const content = make('div', { className: 'content' })
  place.replaceChildren(progress, announcer, content, footer(flow))
  storeEntries(place, flow.visit)
  keepInView(place)
  const isEmpty = () => content.querySelector('h2') === null
  return {
    isEmpty,
    announce(text: string): void {
      announcer.textContent = text
    },
    /** Shows that a step is loading, by grey boxes if it is the first one. */
    showLoading(step: Step, wish: AbortSignal): void {
      if (content.childElementCount === 0) content.replaceChildren(skeleton(step))
      content.ariaBusy = 'true'
      wish.onabort = () => {
        content.ariaBusy = null
      }
    },
    showError(element: HTMLElement): void {
      content.ariaBusy = null
      content.replaceChildren(element)
    },
    /** Scrolls to the step that is shown. */
    goToStep(): void {
      content.firstElementChild?.scrollIntoView({ block: 'start' })
    },
    /** Shows a step and moves the focus to it. The first step leaves the focus on the page. */
    showStep(step: Step, element: HTMLElement): void {
      const isFirst = isEmpty()
      showProgress(flow, progress, step)
      content.ariaBusy = null
      content.replaceChildren(element)
      content.classList.toggle('later', step !== 'dates')
      if (!isFirst) element.querySelector('h2')?.focus({ preventScroll: true })
    },
  }
}

/** Stores each value that the visitor enters. */
function storeEntries(place: HTMLElement, visit: Visit): void {
  const store = ({ target }: Event) => {
    // The dialog of the period stores its values when it is closed.
    if (!isField(target) || target.closest('dialog')) return
    const isOff = target.type === 'checkbox' && !(target as HTMLInputElement).checked
    visit.fields[target.name] = isOff ? '' : target.value
    visit.save()
  }
  // Captured, so that a value is stored before the listeners of the steps read it.
  place.addEventListener('input', store, true)
}

/** Scrolls to a focused field that the box or the bar covers. Browsers do not. */
function keepInView(place: HTMLElement): void {
  place.addEventListener('focusin', ({ target }) => {
    const field = target as Element
    if (field.matches(':focus-visible')) field.scrollIntoView({ block: 'nearest' })
  })
}
