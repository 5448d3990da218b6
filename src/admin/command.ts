import type { Database } from '../db/client.ts'
import type { OptionValues } from './optionValues.ts'

/** The world as a command sees it; the process's own, or a test's. */
export interface Io {
  readonly environment: NodeJS.ProcessEnv
  readonly stdin: AsyncIterable<unknown>
  writeOut(text: string): void
  writeError(text: string): void
  /** The width of the terminal; undefined when nobody looks at one. */
  readonly columns: number | undefined
  /** Replaces the line of progress, an empty one clears it; undefined when nobody would see it. */
  readonly writeProgress?: ((text: string) => void) | undefined
}

export interface CommandOption {
  readonly name: string
  readonly summary: string
  /** What stands for the value in the usage line, `a|b` for a choice; an option without one is a switch. */
  readonly value?: string
  /** What a shell may offer beyond the choice in `value`. */
  readonly suggestions?: readonly string[]
  readonly required?: boolean
  readonly multiple?: boolean
}

/** Everything a command works with. */
export interface CommandContext {
  /** As many as the command declares. */
  readonly args: readonly string[]
  readonly options: OptionValues
  readonly io: Io
  readonly now: Date
  /** Runs `work` on the operator's database, which is closed afterwards. */
  withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T>
  /** Applies migrations, or with `dryRun` only looks; returns their names. */
  migrate(choice: { readonly dryRun: boolean }): Promise<string[]>
}

/** What a command says: as JSON, or to a person. */
interface CommandResult {
  readonly json: unknown
  readonly text: string
  /** False when the command did its work and the answer is bad news: exit 1. */
  readonly ok?: boolean
}

export interface Command {
  readonly name: string
  readonly summary: string
  /** Names of the arguments, all required; `a|b` for a choice. */
  readonly args: readonly string[]
  /** Names of arguments that may be left out. */
  readonly optionalArgs?: readonly string[]
  readonly options: readonly CommandOption[]
  /** As somebody would type them; the help shows them. */
  readonly examples: readonly string[]
  run(context: CommandContext): Promise<CommandResult>
}

/** Wrong usage: exit 2, with the usage line. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
