import type { Step } from '../visit.ts'
import { make } from './dom.ts'

const cardsCount = 6

/** Returns grey cards in the size of vehicles. */
export function skeletonCards(): HTMLElement {
  const cards = Array.from({ length: cardsCount }, () => make('div', { className: 'ghost card' }))
  return make('div', { className: 'vehicles', ariaHidden: 'true' }, ...cards)
}

/** Returns grey boxes in place of a step that is loading. */
export function skeleton(step: Step): HTMLElement {
  const isFirst = step === 'dates'
  const box = make('div', { className: `ghost ${isFirst ? 'search' : 'page'}` })
  const body = step === 'vehicle' ? skeletonCards() : box
  const title = make('div', { className: 'ghost title' })
  return make('div', { ariaHidden: 'true', className: isFirst ? '' : 'later' }, title, body)
}
