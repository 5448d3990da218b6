import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Block = ReturnType<typeof ipaddr.parseCIDR>

/**
 * Parses an IP address or CIDR block; returns undefined if invalid. Converts IPv4-mapped IPv6 to IPv4.
 */
export function parseNetwork(entry: string): Block | undefined {
  const [address = ''] = entry.split('/')
  const cidr = address === entry ? `${entry}/${isIP(entry) === 4 ? 32 : 128}` : entry
  // `isIP` rejects short forms such as `10.1`, which the library accepts.
  if (isIP(address) === 0 || !ipaddr.isValidCIDR(cidr)) return undefined
  const [network, bits] = ipaddr.parseCIDR(cidr)
  const isMapped = network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= 96
  return isMapped ? [network.toIPv4Address(), bits - 96] : [network, bits]
}
