import type { Readable } from 'node:stream'
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings'
import { parseDatabaseConfig } from '../config/environment.ts'
import type { Database } from '../db/connection/database.ts'
import type { DatabaseSource } from '../embedded/postgres.ts'
import { tenantOrOnly } from '../services/tenants.ts'
import { withDatabase, withSource } from './database.ts'
import { operatorName } from './options.ts'
import { sanitizeForTerminal, sanitizeJsonForTerminal } from './terminal/cell.ts'

/** The world as a command sees it; the process's own, or a test's. */
export interface Io {
  readonly environment: NodeJS.ProcessEnv
  readonly stdin: Readable
  /** For tests: by default the present. */
  readonly now?: Date
  writeOut(text: string): void
  writeError(text: string): void
  /** The width of the terminal; undefined when nobody looks at one. */
  readonly columns: number | undefined
  /** Replaces the line of progress, an empty one clears it; undefined when nobody would see it. */
  readonly writeProgress?: ((text: string) => void) | undefined
  /**
   * Aborted when nobody reads any more or the program is interrupted, for commands that go on until
   * then: who asks for it must end by it.
   */
  readonly signal?: AbortSignal
  /** Asks a person, who says yes or no; undefined when nobody is there to answer. */
  readonly ask?: ((question: string) => Promise<boolean>) | undefined
}

/** What a command says: as JSON, or to a person, who reads the same where there is no text. */
export interface Outcome {
  readonly json: unknown
  readonly text?: string
  /** False when the command did its work and the answer is bad news: exit 1. */
  readonly ok?: boolean
}

/** `options` reads the program's own; `onBadNews` is called for an outcome that is not ok. */
export function contextOf(
  io: Io,
  options: () => { readonly json?: true | undefined; readonly databaseUrl?: string | undefined },
  onBadNews: () => void,
) {
  const config = () => parseDatabaseConfig(io.environment, options().databaseUrl)
  const print = ({ json, text }: Outcome, indent: number) => {
    const asJson = text === undefined || options().json === true
    io.writeOut(asJson ? `${sanitizeJsonForTerminal(json, indent)}\n` : sanitizeForTerminal(text))
  }
  return {
    io,
    options,
    config,
    /** Read anew each time it is asked for. */
    get now(): Date {
      return io.now ?? new Date()
    },
    operator: (as?: string) => operatorName(io.environment, as),
    /** Runs `work` on the database that the environment names, which is closed afterwards. */
    withDatabase: <T, Args extends unknown[]>(
      work: (database: Database, ...args: Args) => Promise<T>,
      ...args: Args
    ) => withDatabase(config(), (database) => work(database, ...args)),
    /** The same for work on one tenant: the one given, or the only one there is. */
    withTenant: <T>(
      slug: string | undefined,
      work: (database: Database, slug: string) => Promise<T>,
    ) =>
      withDatabase(config(), async (database) =>
        work(database, await tenantOrOnly(database, slug)),
      ),
    /** The same for work that brings its own connections; only where it `mayBeNew` one is made. */
    withSource: <T>(
      work: (source: DatabaseSource) => Promise<T>,
      choice?: { readonly mayBeNew: boolean },
    ) => withSource(config(), work, choice),
    /** Writes one of many things as they happen: JSON documents on a line each. */
    emit: (news: Required<Pick<Outcome, 'json' | 'text'>>) => print(news, 0),
    /** Writes the outcome as it was asked for. Every command calls it once, unless it tells. */
    finish(outcome: Outcome) {
      print(outcome, 2)
      if (outcome.ok === false) onBadNews()
    },
  }
}

/** What a command works with. */
export type Context = ReturnType<typeof contextOf>

type MakeCommand = (context: Context) => CommandUnknownOpts

export const exampleId = '4f1c2a9e'

/** A command that takes and does nothing yet. Its `lines` are examples, as they are typed. */
export function command(name: string, summary: string, lines: readonly string[]) {
  return Object.assign(new Command(name).description(summary), { examples: lines })
}

export function tenantCommand(name: string, summary: string, lines: readonly string[]) {
  return command(name, summary, lines).option(
    '--tenant <slug>',
    'slug of the tenant; may be left out while there is only one',
  )
}

export function group(name: string, summary: string, members: readonly MakeCommand[]): MakeCommand {
  return (context) => {
    const created = new Command(name).description(summary)
    for (const make of members) created.addCommand(make(context))
    return created
  }
}
