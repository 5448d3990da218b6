import type { Flow } from '../flow.ts'
import type { Texts } from '../texts.ts'
import { type Step, steps } from '../visit.ts'
import { button, make } from './dom.ts'

/** Returns the message key of a step, such as `titleDates`. */
const messageKey = <Kind extends string>(kind: Kind, step: Step) =>
  `${kind}${step.replace(/./, (first) => first.toUpperCase())}` as `${Kind}${Capitalize<Step>}`

export const stepTitle = ({ message }: Texts, step: Step) => message(messageKey('title', step))

/** Shows the names of all steps. Earlier steps are buttons, until a booking is sent. */
export function showProgress(
  { texts, config, begin, visit, only }: Flow,
  place: HTMLElement,
  step: Step,
): void {
  const hidden = [config.extras?.length ? '' : 'extras', only ? 'vehicle' : '']
  const names = steps.filter((name) => !hidden.includes(name))
  const current = names.indexOf(step)
  const items = names.map((name, at) => {
    const text = texts.message(messageKey('step', name))
    const isDone = at < current
    const canReturn = isDone && step !== 'booking' && visit.sent === undefined
    const label = canReturn ? button(text, () => void begin(name)) : make('span', {}, text)
    return make(
      'li',
      {
        className: isDone ? 'past' : undefined,
        'aria-current': name === step ? 'step' : undefined,
      },
      label,
    )
  })
  const position = texts.t('stepOf', { step: current + 1, total: names.length })
  const brief = make('p', { className: 'brief' }, `${position} · ${items[current]?.textContent}`)
  place.ariaLabel = texts.t('steps')
  // The booking shows its own states.
  place.hidden = step === 'booking'
  place.replaceChildren(brief, make('ol', { className: 'trail' }, ...items))
}
