import { parseArgs } from 'node:util'
import { ConfigError } from '../config.ts'
import { isDatabaseUnavailable } from '../db/failures.ts'
import { EmbeddedPostgresError } from '../embedded/errors.ts'
import { FleetFileError } from '../fleet/problems.ts'
import { Refusal } from '../services/refusal.ts'
import { type Command, type CommandContext, type Io, UsageError } from './command.ts'
import { commands } from './commands.ts'
import { commonOptions, overview, usageLine } from './help.ts'
import { explainCommand, help, noSuchCommand } from './helpCommand.ts'
import { migrateOperatorDatabase, withOperatorDatabase } from './operatorDatabase.ts'
import { OptionValues } from './optionValues.ts'

const done = 0
const refused = 1
const wrongUsage = 2
const helpWords = new Set(['help', '--help', '-h'])

/** Errors whose message is written for the operator; anything else is a bug or a broken machine. */
const explained = [Refusal, FleetFileError, ConfigError, EmbeddedPostgresError]

/**
 * Runs one command of the operator's command line and returns the exit code: 0 done, 1 refused, 2
 * wrong usage. Never throws.
 */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  const [first, ...rest] = argv
  if (first === undefined) {
    io.writeError(overview(commands, io.columns))
    return wrongUsage
  }
  if (helpWords.has(first)) return help(commands, rest, io) ? done : wrongUsage
  const command = findCommand(argv)
  if (command === undefined) {
    io.writeError(noSuchCommand(commands, argv))
    return wrongUsage
  }
  try {
    return await runCommand(command, argv.slice(wordsOf(command).length), io)
  } catch (error) {
    return report(error, command, io)
  }
}

function wordsOf(command: Command): string[] {
  return command.name.split(' ')
}

function findCommand(argv: readonly string[]): Command | undefined {
  return commands.find((command) => wordsOf(command).every((word, index) => argv[index] === word))
}

async function runCommand(command: Command, rest: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parse(command, rest)
  const options = new OptionValues(values)
  if (options.flag('help')) {
    explainCommand(command, options.flag('json'), io)
    return done
  }
  checkGiven(command, positionals, options)
  const context: CommandContext = {
    args: positionals,
    options,
    io,
    now: new Date(),
    withDatabase: (work) => withOperatorDatabase(io.environment, work),
    migrate: (choice) => migrateOperatorDatabase(io.environment, choice),
  }
  const { json, text, ok = true } = await command.run(context)
  io.writeOut(options.flag('json') ? `${JSON.stringify(json, null, 2)}\n` : text)
  return ok ? done : refused
}

function parse(command: Command, rest: readonly string[]) {
  const options = Object.fromEntries(
    [...command.options, ...commonOptions].map(({ name, value, multiple = false }) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple },
    ]),
  )
  try {
    return parseArgs({ args: [...rest], options, allowPositionals: true })
  } catch (error) {
    // Node's advice on arguments that begin with a hyphen follows its first sentence.
    const [message = ''] = (error instanceof Error ? error.message : String(error)).split('. ')
    throw new UsageError(message.endsWith('.') ? message : `${message}.`)
  }
}

function checkGiven(command: Command, given: readonly string[], options: OptionValues): void {
  const missing = command.args[given.length]
  if (missing !== undefined) throw new UsageError(`${missing} is missing.`)
  const surplus = given[command.args.length + (command.optionalArgs?.length ?? 0)]
  if (surplus !== undefined) throw new UsageError(`Unexpected argument "${surplus}".`)
  for (const { name, required = false } of command.options) if (required) options.required(name)
}

function report(error: unknown, command: Command, io: Io): number {
  if (error instanceof UsageError) {
    io.writeError(`${error.message}\n${usageLine(command)}\n`)
    return wrongUsage
  }
  io.writeError(`${explain(error)}\n`)
  return refused
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (explained.some((known) => error instanceof known)) return error.message
  if (isDatabaseUnavailable(error)) {
    const { message } = error.cause instanceof Error ? error.cause : error
    return `The database can't be used just now: ${message || 'no connection'}`
  }
  return `Unexpected: ${error.stack ?? error.message}`
}
