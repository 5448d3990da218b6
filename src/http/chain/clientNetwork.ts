import { createHmac } from 'node:crypto'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { parseNetwork } from '../../config/trustedNetwork.ts'

/** Matches the forms of some proxies: `192.0.2.1:443`, `[2001:db8::1]` or `[2001:db8::1]:443`. */
const withPort = /^(?:([\d.]+):\d+|\[(.+)\](?::\d+)?)$/
const networkGroups = 4

/**
 * Parses an address as sent by a proxy, with or without port. Converts IPv4-mapped IPv6, such as
 * `::ffff:c000:207`, to IPv4. Returns undefined for other text.
 */
function parseAddress(forwarded = '') {
  const address = forwarded.replace(withPort, '$1$2')
  return isIP(address) === 0 ? undefined : ipaddr.process(address)
}

/** Returns the `trustProxy` function of Fastify: whether a hop is in one of the networks. */
export function trustNetworks(entries: readonly string[]): (hop: string) => boolean {
  const trusted = entries.map(parseNetwork).filter((block) => block !== undefined)
  return (hop) => {
    const address = parseAddress(hop)
    return address !== undefined && ipaddr.subnetMatch(address, { trusted }, '') === 'trusted'
  }
}

/** Returns the block that identifies a visitor: an IPv4 address or an IPv6 /64 network. */
export function clientNetwork(forwarded?: string): string {
  const parsed = parseAddress(forwarded)
  // The address is invalid (as forwarded by a proxy) or missing (the connection was reset). All
  // such requests share one window.
  if (parsed === undefined) return 'unknown'
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const network = parsed.parts.slice(0, networkGroups).map((group) => group.toString(16))
  return `${network.join(':')}::/64`
}

/** Returns a function that identifies visitors by a keyed hash, so that Redis stores no addresses. */
export function visitorIds(secret: string) {
  return (address: string | undefined): string =>
    createHmac('sha256', secret).update(clientNetwork(address)).digest('base64url')
}
