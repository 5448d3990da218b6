import { readdirSync, readFileSync, rmSync, truncateSync, utimesSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { daySeconds, nowSeconds, useBackups } from './scriptRoom.ts'

const { at, put, programs, told, backup, calling } = useBackups()

describe('the log since a base backup', () => {
  it('is kept from the oldest base backup of its server on, by whatever timeline', () => {
    programs({ pg_archivecleanup: '' })
    put('base/100/start', '7 000000020000000000000005\n')
    put('base/200/start', '7 000000010000000000000009\n')
    put('base/300/start', '8 000000010000000000000001\n')
    put('wal/7-2/file')
    calling('clean_log wal/7-2')
    expect(told()[0]).toBe('pg_archivecleanup wal/7-2 000000020000000000000005')
  })

  it('is kept by no base backup that cannot be read, which is no end to cleaning', () => {
    const label =
      'echo > base/.read/backup_label; mkdir -p base/.read/global; echo > base/.read/global/pg_control'
    for (const [tar, controldata] of [
      ['exit 1', 'echo "Database system identifier: 7"'],
      [label, 'echo "Database system identifier: 7"'],
      [label, ':'],
    ] as const) {
      programs({ tar, pg_controldata: controldata, pg_archivecleanup: '' })
      put(`base/${nowSeconds() - 60}/base.tar.gz`)
      put(`base/${nowSeconds() - 120}/start`, '7 000000010000000000000005\n')
      put('wal/7-1/file')
      expect(backup('clean').status).toBe(0)
      expect(told()).toContain('pg_archivecleanup wal/7-1 000000010000000000000005')
      rmSync(at('told'))
    }
  })

  it('of a server that has none any more goes with what is said of it, once it is old', () => {
    for (const [part, days] of [
      ['wal/8-1', 15],
      ['wal/9-1', 13],
    ] as const) {
      put(`${part}.since`, '1\n')
      put(`${part}/file`)
      const then = nowSeconds() - days * daySeconds
      utimesSync(at(part), then, then)
      calling(`clean_log ${part}`)
    }
    expect(readdirSync(at('wal')).sort()).toEqual(['9-1', '9-1.since'])
  })

  it('is kept by the server until it was received', () => {
    programs({ psql: 'echo "7|1|0/0|"', pg_receivewal: '', sleep: 'kill $PPID' })
    expect(() => calling('receive_log')).toThrow()
    const received = told().filter((line) => line.startsWith('pg_receivewal'))
    expect(received).toHaveLength(2)
    for (const line of received) expect(line).toMatch(/--directory=wal\/7-1 --slot=backup /)
    // The server drops what it was told is kept: by then it is on the disk.
    expect(received[1]).toMatch(/ --synchronous --no-loop$/)
    put('wal/7-1.since', '5\n')
    calling('open_log')
    expect(readFileSync(at('wal/7-1.since'), 'utf8')).toBe('5\n')
  })

  it('loses the files that a full disk cut off while they were made, and no other', () => {
    const sizes = { 'made.partial': 16_777_216, 'begun.partial': 0, 'cut.partial': 8192, whole: 5 }
    for (const [name, size] of Object.entries(sizes)) {
      put(`log/${name}`)
      truncateSync(at('log', name), size)
    }
    calling('drop_unfinished log')
    expect(readdirSync(at('log')).sort()).toEqual(['begun.partial', 'made.partial', 'whole'])
  })
})
