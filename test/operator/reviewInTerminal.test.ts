import stringWidth from 'string-width'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { reviewBooking } from '../../src/services/reviewBooking.ts'
import { type FaultProxy, proxiedUrl, startFaultProxy, upstreamOf } from '../helpers/faultProxy.ts'
import { type OpenTestDatabase, openTestDatabase } from '../helpers/openTestDatabase.ts'
import type { Terminal } from '../helpers/terminal.ts'
import { waitFor } from '../helpers/waitFor.ts'
import { inTerminal } from './inTerminal.ts'
import { decided, decisionsIn, openOffice } from './office.ts'

let test: OpenTestDatabase
let office: Awaited<ReturnType<typeof openOffice>>
beforeEach(async () => {
  test = await openTestDatabase()
  office = await openOffice(test.database)
})
afterEach(() => test.drop())

const argv = ['bookings', 'review', '--tenant', 'fjord-cars', '--as', 'Ingrid']

describe('a review in a terminal', () => {
  let terminal: Terminal
  let proxy: FaultProxy
  beforeEach(async () => {
    proxy = await startFaultProxy(upstreamOf(test.url))
    terminal = await inTerminal(proxiedUrl(test.url, proxy), argv)
    await terminal.shows('Kari Normann')
  })
  afterEach(async () => {
    await terminal.close()
    await proxy.stop()
  })

  it('fits 80 columns and 24 rows, hears what others do, and is joined by new bookings', async () => {
    const { kari, taro, dana } = office.bookings
    await terminal.shows('c confirm')
    const lines = (await terminal.screen()).split('\n')
    expect(lines.length).toBeLessThanOrEqual(24)
    for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(80)
    expect(lines[0]).toContain(kari)

    const elsewhere = { bookingId: kari, decision: 'reject', actor: 'Ola' } as const
    await reviewBooking(test.database, elsewhere)
    await terminal.shows('Someone else has just decided on this booking.')
    await terminal.shows(`Booking ${kari}: rejected`)
    await terminal.type('c')
    await terminal.shows('That is final')
    await terminal.type('s')
    await terminal.shows(`Booking ${taro}`)
    await terminal.type('r')
    await terminal.shows('Reason:')
    await terminal.type('no vehicle left', 'Enter')
    await terminal.shows(`Booking ${dana}`)
    await terminal.type('r')
    await terminal.shows('Reason:')
    await terminal.type('Enter')
    await terminal.shows('Nothing more is pending')
    const late = await office.rental.book('2030-09-01T08:00:00Z', '2030-09-02T08:00:00Z')
    await terminal.shows(`Booking ${late}`)
    await terminal.type('c')
    await terminal.shows('Nothing more is pending')
    await terminal.type('q')
    await terminal.shows('Confirmed 1, rejected 2.')
    expect(await decisionsIn(test.database)).toEqual([
      decided(kari, 'rejected', null, 'Ola'),
      decided(taro, 'rejected', 'no vehicle left'),
      decided(dana, 'rejected'),
      decided(late, 'confirmed'),
    ])
  })

  it.each([
    ['Ctrl-C', () => terminal.type('C-c')],
    ['being terminated', () => terminal.kill('SIGTERM')],
  ])('is left by %s, too: nothing more is decided', async (_, leave) => {
    await terminal.shows('c confirm')
    await leave()
    await terminal.shows('Confirmed 0, rejected 0.')
    expect(await decisionsIn(test.database)).toEqual([])
  })

  it.each([
    ['Ctrl-C', 'C-c'],
    ['Esc', 'Escape'],
  ])('takes %s at the question for a reason for no decision, and asks again', async (_, key) => {
    await terminal.shows('c confirm')
    await terminal.type('r')
    await terminal.shows('Reason:')
    await terminal.type(key)
    await waitFor(async () => !(await terminal.screen()).includes('Reason:'))
    await terminal.shows('c confirm')
    expect(await decisionsIn(test.database)).toEqual([])
    await terminal.type('q')
    await terminal.shows('Confirmed 0, rejected 0.')
  })

  it('loses nothing with the database: the booking is shown again when it is back', async () => {
    const { kari } = office.bookings
    await terminal.shows('c confirm')
    proxy.down()
    await terminal.type('c')
    await terminal.shows('The database is unavailable.')
    proxy.heal()
    await terminal.type('x')
    await terminal.shows('c confirm')
    expect(await terminal.screen()).toContain(`Booking ${kari}: pending`)
    await terminal.type('c')
    await terminal.shows('is confirmed.')
    await terminal.close()
    expect(await decisionsIn(test.database)).toEqual([decided(kari, 'confirmed')])
  })
})
