import type { AddressInfo } from 'node:net'
import type { Deps } from '../deps.ts'

export async function offerDemo(
  _deps: Deps,
  _address: AddressInfo | string | null,
): Promise<void> {}
