import type { Flow } from '../flow.ts'
import type { Step, Visit } from '../visit.ts'
import { goTo, make } from './dom.ts'
import { isField } from './form.ts'
import { footer } from './parts.ts'
import { showProgress } from './progress.ts'
import { skeleton } from './skeleton.ts'
import { swap } from './transition.ts'

/** Fills the widget with the parts around its steps. Returns functions that change the parts. */
export function createFrame(flow: Flow, place: HTMLElement) {
  const progress = make('nav', { className: 'progress' })
  const announcer = make('p', { className: 'unseen', role: 'status' })
  const content = make('div', { className: 'content' })
  place.replaceChildren(progress, announcer, content, footer(flow))
  storeEntries(place, flow.visit)
  keepAboveBar(place)
  return {
    announce(text: string): void {
      announcer.textContent = text
    },
    /** Shows grey boxes until the first step is loaded. */
    showSkeleton(step: Step): void {
      if (content.childElementCount === 0) content.replaceChildren(skeleton(step))
    },
    showError(element: HTMLElement): void {
      content.replaceChildren(element)
    },
    /** Shows a step and moves the focus to it. The first step leaves the focus on the page. */
    async showStep(step: Step, element: HTMLElement): Promise<void> {
      const isFirst = content.querySelector('h2') === null
      await swap(isFirst, () => {
        showProgress(flow, progress, step)
        content.replaceChildren(element)
        content.classList.toggle('later', step !== 'dates')
      })
      if (!isFirst && element.isConnected) goTo(element)
      element.dispatchEvent(new Event('shown'))
    },
  }
}

/** Stores each value that the visitor enters. */
function storeEntries(place: HTMLElement, visit: Visit): void {
  const store = ({ target }: Event) => {
    if (!isField(target)) return
    const isOff = target.type === 'checkbox' && !(target as HTMLInputElement).checked
    visit.fields[target.name] = isOff ? '' : target.value
    visit.save()
  }
  // Captured, so that a value is stored before the listeners of the steps read it.
  place.addEventListener('input', store, true)
}

/** Scrolls to a focused field that the sticky bar covers. Browsers do not. */
function keepAboveBar(place: HTMLElement): void {
  place.addEventListener('focusin', ({ target }) => {
    const field = target as Element
    const bar = place.querySelector('.bar.sticky:not(:focus-within)')
    if (bar && field.getBoundingClientRect().bottom > bar.getBoundingClientRect().top) {
      field.scrollIntoView({ block: 'center' })
    }
  })
}
