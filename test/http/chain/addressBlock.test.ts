import { describe, expect, it } from 'vitest'
import { addressBlock } from '../../../src/http/chain/addressBlock.ts'

describe('one visitor (41)', () => {
  it.each([
    ['is an IPv4 address', '192.0.2.7', '192.0.2.7'],
    ['is the same when the socket writes it as IPv6', '::ffff:192.0.2.7', '192.0.2.7'],
    ['is the same in capitals', '::FFFF:192.0.2.7', '192.0.2.7'],
    ['is the same in hex', '::ffff:c000:207', '192.0.2.7'],
    ['is the same with every zero', '0:0:0:0:0:FFFF:C000:0207', '192.0.2.7'],
    ['is the same with every zero and dots', '0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
    ['is the same in brackets', '[::ffff:c000:207]:4711', '192.0.2.7'],
    ['is the /64 of an IPv6 address', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['is the same /64 at its other end', '2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['is another in the next /64', '2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['is the same in capitals and with zeros', '2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['is the same where zeros are left out', '2001:db8::3:4:5:6', '2001:db8:0:0::/64'],
    ['is the same where they are written', '2001:db8:0:0:3:4:5:6', '2001:db8:0:0::/64'],
    ['may begin with zeros', '::3:4:5:6:7', '0:0:0:3::/64'],
    ['may end with them', '2001:db8:1::', '2001:db8:1:0::/64'],
    ['is the loopback', '::1', '0:0:0:0::/64'],
    ['is nobody in particular', '::', '0:0:0:0::/64'],
    ['has no zone', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['is the same with a port', '192.0.2.7:9', '192.0.2.7'],
    ['is the same /64 with a port', '[2001:db8:1:2::3]:4711', '2001:db8:1:2::/64'],
    ['is everybody who has no address', '}{x', 'unknown'],
    ['is everybody with an address that is none', '256.0.0.1', 'unknown'],
    ['is everybody with an address behind something', 'x::ffff:192.0.2.7', 'unknown'],
    ['is everybody with an address before something', '::ffff:192.0.2.7x', 'unknown'],
  ])('%s: %s', (_, address, block) => {
    expect(addressBlock(address)).toBe(block)
  })
})
