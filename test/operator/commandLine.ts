import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect } from 'vitest'
import { main } from '../../src/operator/main.ts'
import { fleetOf } from '../helpers/fleet.ts'
import { type OpenTestDatabase, openTestDatabase } from '../helpers/openTestDatabase.ts'
import { openRental, type Rental } from '../helpers/rental.ts'

/** What one call of the command line gave back. */
export interface Run {
  readonly exitCode: number
  readonly out: string
  /** Without the line that says which database is about to be changed. */
  readonly error: string
  readonly announced?: string
}

const announcement = /^Database: .*\n/

export interface RunOptions {
  readonly stdin?: string | Buffer
  readonly columns?: number
  readonly now?: Date
  /** Collects what would be shown of the progress. */
  readonly progress?: string[]
  /** What a person answers who is asked; left out: nobody is there. */
  readonly answer?: boolean
}

/** The operator's command line on a database, without a process of its own. */
export function commandLineOn(
  databaseUrl: string,
  environment: Readonly<Record<string, string>> = {},
) {
  return async (
    argv: readonly string[],
    { stdin = '', columns, now, progress, answer }: RunOptions = {},
  ): Promise<Run> => {
    let out = ''
    let error = ''
    const exitCode = await main(argv, {
      environment: { DATABASE_URL: databaseUrl, ...environment },
      stdin: Readable.from([stdin]),
      writeOut: (text) => {
        out += text
      },
      writeError: (text) => {
        error += text
      },
      columns,
      ...(now && { now }),
      writeProgress: progress && ((text) => void progress.push(text)),
      ask: answer === undefined ? undefined : async () => answer,
    })
    const [announced] = announcement.exec(error) ?? []
    error = error.replace(announcement, '')
    return { exitCode, out, error, ...(announced && { announced }) }
  }
}

/** A database of its own with a rental "north", and the command line on it. */
export function useCommandLine() {
  let test: OpenTestDatabase
  let rental: Rental
  beforeAll(async () => {
    test = await openTestDatabase()
    rental = await openRental(test.database, fleetOf(1, 'north'))
  })
  afterAll(() => test.drop())
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
    run,
    /** Runs a command that must succeed, and reads the one document it prints. */
    async json(...argv: string[]) {
      const { exitCode, out, error } = await run(...argv, '--json')
      expect({ exitCode, error }).toEqual({ exitCode: 0, error: '' })
      return JSON.parse(out)
    },
  }
}
