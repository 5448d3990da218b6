import { Readable } from 'node:stream'
import { beforeAll, expect } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { checkCliDocument } from '../helpers/cliDocuments.ts'
import { fleetOf } from '../helpers/fleet.ts'
import { useTestDatabase } from '../helpers/openTestDatabase.ts'
import { openRental, type Rental } from '../helpers/rental.ts'
import { waitFor } from '../helpers/waitFor.ts'

export interface Run {
  readonly exitCode: number
  readonly out: string
  /** Standard error without the line that names the database to be changed. */
  readonly error: string
  readonly announced?: string
}

const announcement = /^Database: .*\n/

export interface RunOptions {
  readonly stdin?: string | Buffer
  readonly columns?: number
  readonly now?: Date
  /** The reply to a confirmation prompt. Default: not interactive. */
  readonly reply?: boolean
}

/** Returns the operator's command line on a database, run in this process. */
export function commandLineOn(
  databaseUrl: string,
  environment: Readonly<Record<string, string>> = {},
) {
  return async (
    argv: readonly string[],
    { stdin = '', columns, now, reply }: RunOptions = {},
  ): Promise<Run> => {
    let out = ''
    let error = ''
    const exitCode = await main(argv, {
      environment: { DATABASE_URL: databaseUrl, ...environment },
      stdin: Readable.from([stdin]),
      writeOut: (output) => {
        out += typeof output === 'string' ? output : Buffer.from(output).toString('latin1')
      },
      writeError: (text) => {
        error += text
      },
      columns,
      ...(now && { now }),
      ask: reply === undefined ? undefined : async () => reply,
    })
    if (argv.includes('--json') && exitCode === 0) checkCliDocument(argv, out)
    const [announced] = announcement.exec(error) ?? []
    error = error.replace(announcement, '')
    return { exitCode, out, error, ...(announced && { announced }) }
  }
}

/** A running command that prints until it is stopped. */
export interface Following<News> {
  readonly news: News[]
  readonly written: string[]
  readonly errorLines: string[]
  /** Resolves when `count` documents are printed. */
  printed(count: number): Promise<unknown>
  /** Stops the command and returns its exit code. */
  stop(): Promise<number>
}

const following = new Set<Following<unknown>>()

/** Stops all running commands. Call it after each test that uses `follow`. */
export async function stopFollowing(): Promise<void> {
  for (const each of following) await each.stop()
}

/** Starts a command with --json; resolves when the command reports that it watches. */
export async function follow<News>(
  databaseUrl: string,
  ...argv: string[]
): Promise<Following<News>> {
  const end = new AbortController()
  const news: News[] = []
  const written: string[] = []
  const errorLines: string[] = []
  const exit = main([...argv, '--json'], {
    environment: { DATABASE_URL: databaseUrl },
    stdin: Readable.from([]),
    writeOut(output) {
      const text = String(output)
      written.push(text)
      checkCliDocument(argv, text)
      news.push(JSON.parse(text))
    },
    writeError: (text) => void errorLines.push(text),
    columns: undefined,
    signal: end.signal,
  })
  const started: Following<News> = {
    news,
    written,
    errorLines,
    printed: (count) => waitFor(() => news.length >= count),
    stop() {
      following.delete(started)
      end.abort()
      return exit
    },
  }
  following.add(started)
  await waitFor(() => errorLines.some((line) => line.startsWith('Watching')))
  return started
}

/** Provides a private database with a rental "north", and the command line on it. */
export function useCommandLine() {
  const test = useTestDatabase()
  let rental: Rental
  beforeAll(async () => {
    rental = await openRental(test.database, fleetOf(1, 'north'))
  })
  const run = (...argv: string[]): Promise<Run> => commandLineOn(test.url)(argv)
  return {
    get url() {
      return test.url
    },
    get database() {
      return test.database
    },
    get rental() {
      return rental
    },
    /** Returns the actor of a booking's only status change; undefined if there is none. */
    async actorOf(id: string): Promise<string | undefined> {
      const { rows } = await test.database.pool.query(
        'select actor from booking_events where booking_id = $1',
        [id],
      )
      return rows[0]?.actor
    },
    run,
    /** Runs a command that must succeed and returns the document that it prints. */
    async json(...argv: string[]) {
      const { exitCode, out, error } = await run(...argv, '--json')
      expect({ exitCode, error }).toEqual({ exitCode: 0, error: '' })
      return JSON.parse(out)
    },
  }
}
