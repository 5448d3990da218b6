import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Block = ReturnType<typeof ipaddr.parseCIDR>

/** Parses an IP address or CIDR block; returns undefined if invalid. */
export function parseNetwork(entry: string): Block | undefined {
  const [address = ''] = entry.split('/')
  const cidr = address === entry ? `${entry}/${isIP(entry) === 4 ? 32 : 128}` : entry
  // `isIP` rejects short forms such as `10.1`, which the library accepts.
  return isIP(address) !== 0 && ipaddr.isValidCIDR(cidr) ? ipaddr.parseCIDR(cidr) : undefined
}
