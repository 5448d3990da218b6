import type { Command, Io } from './command.ts'
import { commandHelp, generalUsage, helpAsJson, overview } from './help.ts'

type HelpIo = Pick<Io, 'writeOut' | 'writeError' | 'columns'>

/**
 * `rental help [COMMAND] [--json]`: all commands, or the ones that begin with the given words. False
 * when there are none.
 */
export function help(commands: readonly Command[], given: readonly string[], io: HelpIo): boolean {
  const asked = given.filter((word) => word !== '--json')
  const json = asked.length < given.length
  const found = beginningWith(commands, asked)
  const [only] = found
  if (only === undefined) {
    io.writeError(noSuchCommand(commands, asked))
    return false
  }
  if (json) io.writeOut(`${JSON.stringify({ commands: helpAsJson(found) }, null, 2)}\n`)
  else if (found.length === 1) io.writeOut(commandHelp(only, io.columns))
  else io.writeOut(overview(found, io.columns))
  return true
}

/** `rental COMMAND --help [--json]`. */
export function explainCommand(command: Command, json: boolean, io: HelpIo): void {
  const [described] = helpAsJson([command])
  io.writeOut(json ? `${JSON.stringify(described, null, 2)}\n` : commandHelp(command, io.columns))
}

/** What somebody is told who typed half of a command, or none. */
export function noSuchCommand(commands: readonly Command[], argv: readonly string[]): string {
  const given = argv.slice(0, 2).join(' ')
  const near = beginningWith(commands, argv.slice(0, 1)).map(({ name }) => `  rental ${name}\n`)
  const meant = near.length === 0 ? '`rental help` lists them.\n' : `There are:\n${near.join('')}`
  return `There is no command "${given}".\n${generalUsage}${meant}`
}

function beginningWith(commands: readonly Command[], words: readonly string[]): Command[] {
  return commands.filter(({ name }) => {
    const own = name.split(' ')
    return words.every((word, index) => own[index] === word)
  })
}
