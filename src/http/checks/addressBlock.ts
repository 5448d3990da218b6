import { isIPv4, isIPv6 } from 'node:net'

/** As some proxies write it: `192.0.2.1:443` or `[2001:db8::1]:443`. */
const withPort = /^(?:([\d.]+)|\[(.+)\]):\d+$/
const mappedIPv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i
const networkGroups = 4

/** One visitor: an IPv4 address, or the /64 of IPv6, of which a line gets many (decision 41). */
export function addressBlock(forwarded: string): string {
  const address = forwarded.replace(withPort, '$1$2')
  const ipv4 = mappedIPv4.exec(address)?.[1]
  if (ipv4 !== undefined) return ipv4
  if (isIPv4(address)) return address
  // Only a proxy that forwards what callers wrote gets here: those share one window.
  if (!isIPv6(address)) return 'unknown'
  const [head = '', tail = ''] = address.replace(/%.*/, '').toLowerCase().split('::')
  const leading = groups(head)
  const trailing = groups(tail)
  const zeros = Array.from({ length: 8 - leading.length - trailing.length }, () => '0')
  const full = [...leading, ...zeros, ...trailing]
  return `${full.slice(0, networkGroups).join(':')}::/64`
}

function groups(part: string): string[] {
  return part === '' ? [] : part.split(':').map((group) => group.replace(/^0+(?=.)/, ''))
}
