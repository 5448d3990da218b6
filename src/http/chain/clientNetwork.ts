import { isIP, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Matches the form of some proxies: `192.0.2.1:443` or `[2001:db8::1]:443`. */
const withPort = /^(?:([\d.]+)|\[(.+)\]):\d+$/
const networkGroups = 4

/** Returns the block that identifies a visitor: an IPv4 address or an IPv6 /64 network. */
export function clientNetwork(forwarded = ''): string {
  const address = forwarded.replace(withPort, '$1$2')
  if (isIPv4(address)) return address
  // The address is invalid (as forwarded by a proxy) or missing (the connection was reset). All
  // such requests share one window.
  if (isIP(address) === 0) return 'unknown'
  // Converts IPv4-mapped IPv6, such as `::ffff:c000:207`, to IPv4.
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const network = parsed.parts.slice(0, networkGroups).map((group) => group.toString(16))
  return `${network.join(':')}::/64`
}
