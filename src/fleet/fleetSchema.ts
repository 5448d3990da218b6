import { z } from 'zod'
import { fleetFile } from './fleetFile.ts'

/** Returns the JSON Schema (2020-12) of the fleet file, published as `public/fleet.schema.json`. */
export function fleetSchema(): object {
  const title = 'Fleet file of the Rental Booking API'
  return {
    title,
    ...z.toJSONSchema(fleetFile, { io: 'input', target: 'draft-2020-12', unrepresentable: 'any' }),
  }
}
