import type { AssetGroup } from '../../typescript/index.ts'
import { make } from './dom.ts'
import { icon } from './icon.ts'

/** A car, without its wheels, and two wheels. */
const car =
  'M2 34q0-10 12-12l12-2Q36 6 48 6h14q14 0 22 14 10 2 10 14v2h-6a10 10 0 0 0-20 0H34a10 10 0 0 0-20 0H2z' +
  'M17 36a7 7 0 1 0 14 0 7 7 0 1 0-14 0M71 36a7 7 0 1 0 14 0 7 7 0 1 0-14 0'

/** Returns the photo of a vehicle class, or a silhouette if there is none or it cannot be loaded. */
export function photoOf({ imageUrl }: Pick<AssetGroup, 'imageUrl'>): HTMLElement {
  const silhouette = make('div', { className: 'photo' }, icon(96, 48, car))
  if (!imageUrl) return silhouette
  const image = make('img', { className: 'photo', src: imageUrl, alt: '', loading: 'lazy' })
  image.onerror = () => image.replaceWith(silhouette)
  return image
}
