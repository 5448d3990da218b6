import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Block = ReturnType<typeof ipaddr.parseCIDR>

/** An address, or a block of them, with its prefix length; the library alone would take `10.1`. */
export function parseBlock(entry: string): Block | undefined {
  const [address = ''] = entry.split('/')
  const cidr = address === entry ? `${entry}/${isIP(entry) === 4 ? 32 : 128}` : entry
  return isIP(address) !== 0 && ipaddr.isValidCIDR(cidr) ? ipaddr.parseCIDR(cidr) : undefined
}

/** All of IPv4, as it is written in IPv6. */
const mappedBlock = ipaddr.IPv6.parse('::ffff:0:0')

/** Below this, a block is no network of proxies, but a part of the internet (decision 457). */
export function prefixMin([address, prefix]: Block): number {
  if (address instanceof ipaddr.IPv4) return 8
  if (mappedBlock.match(address, Math.min(prefix, 96))) return 96 + 8
  const range = address.range()
  return range === 'uniqueLocal' ? 7 : range === 'linkLocal' ? 10 : 16
}
