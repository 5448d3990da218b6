import { createClient, type RentalClient } from '../../clients/typescript/index.ts'

/** What the page is served with, as /config.json. */
interface Config {
  readonly baseUrl: string
  readonly apiKey: string
  readonly shop: { readonly name: string; readonly timeZone: string; readonly currency: string }
  readonly extras: readonly Extra[]
  readonly pollSeconds: number
}

export interface Extra {
  readonly id: string
  readonly name: string
  readonly price: string
  readonly pricing: 'per_day' | 'per_rental'
}

/** What every step of the page works with. */
export interface Shop {
  readonly config: Config
  readonly rental: RentalClient
}

/** A visitor would rather be told than wait longer than this. */
const patience = { attemptsMax: 4, waitSecondsMax: 6 }

export async function openShop(): Promise<Shop> {
  const answer = await fetch('/config.json')
  if (!answer.ok) throw new Error(`The page's configuration is not there: ${answer.status}`)
  const config = (await answer.json()) as Config
  const { baseUrl, apiKey } = config
  return { config, rental: createClient({ baseUrl, apiKey, patience }) }
}
