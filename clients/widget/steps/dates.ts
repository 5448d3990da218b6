import type { Flow } from '../flow.ts'
import { fillPeriod, type PeriodError, periodError } from '../period.ts'
import { make } from '../ui/dom.ts'
import { onSubmit } from '../ui/form.ts'
import { section, stationLine } from '../ui/parts.ts'
import { periodControl } from '../ui/periodControl.ts'
import { skeletonCards } from '../ui/skeleton.ts'

/** Returns the step in which the period is chosen. `wrong`: what is wrong with the entered one. */
export function datesStep(flow: Flow, wrong?: PeriodError): HTMLElement {
  const { config, texts, visit } = flow
  const { t } = texts
  // Default values count as entered.
  fillPeriod(config, visit.fields)
  const form = make('form', { className: 'search' })
  const [results, place] = [make('div'), make('div')]
  const { attempt } = onSubmit(flow, {
    form,
    onward: t('find'),
    progress: () => 'finding',
    resumes: true,
    async run(wish) {
      const error = periodError(config, visit.fields)
      if (error) return period.open(wish, error)
      results.replaceChildren(skeletonCards())
      await flow.open('vehicle', wish).finally(() => results.replaceChildren())
    },
  })
  const period = periodControl(flow, place, attempt, (isDone) => isDone && form.requestSubmit())
  const { element } = period
  form.prepend(element, stationLine(flow) ?? '')
  const step = section(t('titleDates'), form, results, place)
  // The dialog can be opened once the step is on the page.
  const refuse = () => attempt(element, { run: (wish) => period.open(wish, wrong) })
  if (wrong) step.addEventListener('shown', refuse)
  return step
}
