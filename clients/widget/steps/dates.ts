import type { Flow } from '../flow.ts'
import { fillPeriod } from '../period.ts'
import { make } from '../ui/dom.ts'
import { onSubmit } from '../ui/form.ts'
import { section } from '../ui/parts.ts'
import { periodControl } from '../ui/periodControl.ts'
import { skeletonCards } from '../ui/skeleton.ts'

/** Returns the step in which the period is chosen. `hasPassed`: the pickup is in the past. */
export function datesStep(flow: Flow, hasPassed: boolean): HTMLElement {
  const { t } = flow.texts
  // Default values count as entered.
  fillPeriod(flow)
  const { element, sheet, refuse } = periodControl(flow)
  const form = make('form', { className: 'search' }, element)
  const results = make('div')
  onSubmit(flow, {
    form,
    onward: t('find'),
    progress: () => 'finding',
    resumes: true,
    async run() {
      if (refuse()) return
      results.replaceChildren(skeletonCards())
      await flow.open('vehicle').finally(() => results.replaceChildren())
    },
  })
  const step = section(t('titleDates'), form, results, sheet)
  // The sheet can be opened once the step is on the page.
  if (hasPassed) step.addEventListener('shown', () => refuse(['pickupDate', 'passed']))
  return step
}
