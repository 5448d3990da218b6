import type { Readable } from 'node:stream'
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings'
import { parseOperatorConfig } from '../config/environment.ts'
import type { Database } from '../db/connection/database.ts'
import type { DatabaseSource } from '../embedded/postgres.ts'
import { tenantOrOnly } from '../services/tenantTerms.ts'
import { withDatabase, withSource } from './database.ts'
import { operatorName } from './options.ts'
import { sanitizeForTerminal, sanitizeJsonForTerminal } from './terminal/cell.ts'

export interface Io {
  readonly environment: NodeJS.ProcessEnv
  readonly stdin: Readable
  /** For tests; default: the current time. */
  readonly now?: Date
  writeOut(output: string | Uint8Array): void
  writeError(text: string): void
  /** The width of the terminal; undefined when stdout is not a terminal. */
  readonly columns: number | undefined
  /**
   * Aborted when stdout closes or the program is interrupted. Reading this property replaces the
   * default signal handlers, so a command that reads the property must end when the signal aborts.
   */
  readonly signal?: AbortSignal
  /** Asks the operator a yes-or-no question. Undefined when the session is not interactive. */
  readonly ask?: ((question: string) => Promise<boolean>) | undefined
}

/** The result of a command. Without `text`, the JSON is printed even without --json. */
export interface Outcome {
  readonly json: unknown
  readonly text?: string
  /** False when the check found problems; the process then exits with 1. */
  readonly ok?: boolean
}

/**
 * Creates the context of a command. `options` returns the program's global options. `onFailure` is
 * called for an outcome that is not ok.
 */
export function contextOf(
  io: Io,
  options: () => { readonly json?: true | undefined; readonly databaseUrl?: string | undefined },
  onFailure: () => void,
) {
  const config = () => parseOperatorConfig(io.environment, options().databaseUrl)
  const print = ({ json, text }: Outcome, indent: number) => {
    const asJson = text === undefined || options().json === true
    io.writeOut(asJson ? `${sanitizeJsonForTerminal(json, indent)}\n` : sanitizeForTerminal(text))
  }
  return {
    io,
    options,
    config,
    get now(): Date {
      return io.now ?? new Date()
    },
    operator: (as?: string) => operatorName(io.environment, as),
    /** Runs `work` on the configured database, and closes the database afterwards. */
    withDatabase: <T, Args extends unknown[]>(
      work: (database: Database, ...args: Args) => Promise<T>,
      ...args: Args
    ) => withDatabase(config(), (database) => work(database, ...args)),
    /** Runs `work` on the given tenant, or on the only tenant if `slug` is undefined. */
    withTenant: <T>(
      slug: string | undefined,
      work: (database: Database, slug: string) => Promise<T>,
    ) =>
      withDatabase(config(), async (database) =>
        work(database, await tenantOrOnly(database, slug)),
      ),
    /** Runs `work` with the database URL. Creates an embedded database only if `mayBeNew`. */
    withSource: <T>(
      work: (source: DatabaseSource) => Promise<T>,
      choice?: { readonly mayBeNew: boolean },
    ) => withSource(config(), work, choice),
    /** Prints one of many events; with --json, as one line. */
    emit: (event: Required<Pick<Outcome, 'json' | 'text'>>) => print(event, 0),
    /** Prints the outcome. Commands call this once, unless they use `emit`. */
    finish(outcome: Outcome) {
      print(outcome, 2)
      if (outcome.ok === false) onFailure()
    },
  }
}

export type Context = ReturnType<typeof contextOf>

type MakeCommand = (context: Context) => CommandUnknownOpts

export const exampleId = '4f1c2a9e'

/**
 * Creates a command without options or action. What it prints with --json is declared in
 * openapi/cli/outputs.ts.
 */
export function command(name: string, summary: string, examples: readonly string[]) {
  return Object.assign(new Command(name).description(summary), { examples })
}

export function tenantCommand(...parts: Parameters<typeof command>) {
  return command(...parts).option(
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
