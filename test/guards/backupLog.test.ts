import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync, truncateSync, utimesSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { waitFor } from '../helpers/waitFor.ts'
import { daySeconds, nowSeconds, useBackups } from './scriptRoom.ts'

const { at, put, programs, told, env, backup, calling } = useBackups()

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
    put('wal/7-1/cut.partial', 'cut off')
    expect(() => calling('receive_log')).toThrow()
    // Which would never be received again.
    expect(readdirSync(at('wal/7-1'))).toEqual([])
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

  it.each([
    // Told to end before the server has said anything.
    ['SIGTERM', 'while [ -e url ]; do /bin/sleep 0.05; done', 'psql', 0],
    ['SIGINT', 'while [ -e url ]; do /bin/sleep 0.05; done', 'psql', 0],
    // By nobody: the log would no longer be received, and nobody would say so.
    [undefined, 'echo "7|1|0/0|"', 'pg_receivewal --directory=wal/7-1 --slot=backup --sync', 137],
  ] as const)(
    'is kept until an end that is told at once: %s',
    async (signal, psql, begun, code) => {
      // Nothing is due.
      const later = nowSeconds() + daySeconds
      for (const path of [`dumps/${later}.dump`, `base/${later}/start`, 'status/restored'])
        put(path)
      programs({
        psql,
        pg_receivewal: 'case "$*" in *--synchronous*) kill -9 $PPID ;; esac',
        sleep: 'exec /bin/sleep 0.05',
      })
      const keeping = spawn('bash', [at('backup.sh'), 'keep'], { env: env(), stdio: 'ignore' })
      const ended = once(keeping, 'exit')
      try {
        await waitFor(() => told().some((line) => line.startsWith(begun)))
        if (signal !== undefined) keeping.kill(signal)
        expect(await ended).toEqual([code, null])
      } finally {
        keeping.kill('SIGKILL')
      }
    },
  )
})
