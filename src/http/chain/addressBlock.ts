import { isIP, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** As some proxies write it: `192.0.2.1:443` or `[2001:db8::1]:443`. */
const withPort = /^(?:([\d.]+)|\[(.+)\]):\d+$/
const networkGroups = 4

/** One visitor: an IPv4 address, or the /64 of IPv6, of which a line gets many (decision 41). */
export function addressBlock(forwarded = ''): string {
  const address = forwarded.replace(withPort, '$1$2')
  if (isIPv4(address)) return address
  // From a proxy that forwards what callers wrote, or of a connection that was reset: they share a window.
  if (isIP(address) === 0) return 'unknown'
  // IPv4 however it is written as IPv6, `::ffff:c000:207` too, becomes IPv4 again.
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const network = parsed.parts.slice(0, networkGroups).map((group) => group.toString(16))
  return `${network.join(':')}::/64`
}
