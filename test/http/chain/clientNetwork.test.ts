import { describe, expect, it } from 'vitest'
import { clientNetwork, trustNetworks } from '../../../src/http/chain/clientNetwork.ts'

describe('clientNetwork', () => {
  it.each([
    ['keeps an IPv4 address', '192.0.2.7', '192.0.2.7'],
    ['unwraps an IPv4-mapped IPv6 address', '::ffff:192.0.2.7', '192.0.2.7'],
    ['unwraps a mapped address in hex', '::ffff:c000:207', '192.0.2.7'],
    ['unwraps a mapped address in brackets with a port', '[::ffff:c000:207]:4711', '192.0.2.7'],
    ['shortens an IPv6 address to its /64', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    [
      'shortens the last address of a /64 to the same /64',
      '2001:db8:1:2:ffff:ffff:ffff:ffff',
      '2001:db8:1:2::/64',
    ],
    ['returns another block for the next /64', '2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['accepts the loopback address', '::1', '0:0:0:0::/64'],
    ['drops the zone', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['drops the port of an IPv4 address', '192.0.2.7:9', '192.0.2.7'],
    ['drops the port of an IPv6 address', '[2001:db8:1:2::3]:4711', '2001:db8:1:2::/64'],
    ['drops the brackets of an IPv6 address', '[2001:db8:1:2::3]', '2001:db8:1:2::/64'],
    ['returns unknown for text that is not an address', '}{x', 'unknown'],
    ['returns unknown for an invalid IPv4 address', '256.0.0.1', 'unknown'],
    ['returns unknown for text after an address', '::ffff:192.0.2.7x', 'unknown'],
  ])('%s: %s', (_, address, block) => {
    expect(clientNetwork(address)).toBe(block)
  })
})

describe('trustNetworks', () => {
  const trusts = trustNetworks(['10.0.0.0/8', '::ffff:192.0.2.0/120', 'fd00::/8', 'fe80::/10'])

  it.each([
    '10.0.0.9',
    '10.0.0.9:5001',
    '::ffff:10.0.0.9',
    '[::ffff:a00:9]',
    '[::ffff:10.0.0.9]:5001',
    '192.0.2.7',
    '192.0.2.7:443',
    '::ffff:c000:207',
    'fd12::1',
    '[fd12::1]',
    '[fd12::1]:5001',
    'fe80::1%eth0',
  ])('trusts the hop %s', (hop) => {
    expect(trusts(hop)).toBe(true)
  })

  it.each([
    '11.0.0.9',
    '11.0.0.9:10',
    '192.0.3.7',
    '[::ffff:11.0.0.9]:5001',
    '2001:db8::a00:9',
    '',
    'unknown',
    '10.0.0.9:',
    ':10.0.0.9',
    '[10.0.0.9',
    '10.0.0.9, 10.0.0.9',
    'x10.0.0.9',
  ])('does not trust the hop "%s"', (hop) => {
    expect(trusts(hop)).toBe(false)
  })
})
