// biome-ignore lint/correctness/noUndeclaredDependencies: the page brings React.
import type { HTMLAttributes, RefAttributes } from 'react'
import type { RentalBookingElement, RentalConfig, RentalEvents } from './rental-booking.d.ts'

type Handlers = {
  [Name in keyof RentalEvents as `on${Name}`]?: (event: RentalEvents[Name]) => void
}

interface RentalBookingAttributes
  extends HTMLAttributes<HTMLElement>,
    RefAttributes<RentalBookingElement>,
    Handlers {
  'base-url': string
  'api-key': string
  'booking-id'?: string | undefined
  'terms-url'?: string | undefined
  'privacy-url'?: string | undefined
  contact?: string | undefined
  reference?: string | undefined
  'asset-group'?: string | undefined
  pickup?: string | undefined
  dropoff?: string | undefined
  config?: RentalConfig | undefined
  messages?: Readonly<Record<string, string>> | undefined
}

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'rental-booking': RentalBookingAttributes
    }
  }
}
