import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Block = ReturnType<typeof ipaddr.parseCIDR>

/** An address, or a block of them, with its prefix length; the library alone would take `10.1`. */
export function parseBlock(entry: string): Block | undefined {
  const [address = ''] = entry.split('/')
  const cidr = address === entry ? `${entry}/${isIP(entry) === 4 ? 32 : 128}` : entry
  return isIP(address) !== 0 && ipaddr.isValidCIDR(cidr) ? ipaddr.parseCIDR(cidr) : undefined
}
