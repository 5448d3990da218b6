import type { Command, CommandOption } from './command.ts'
import { definitions } from './definitions.ts'

/** Options that every command has. */
export const commonOptions: readonly CommandOption[] = [
  { name: 'json', summary: 'print one JSON document and nothing else' },
  { name: 'help', summary: 'explain the command' },
]

/** The line that shows how a command is written. */
export function usageLine({ name, args, optionalArgs = [], options }: Command): string {
  const words = [...options, ...commonOptions.slice(0, 1)].map(optionUsage)
  const optional = optionalArgs.map((arg) => `[${arg}]`)
  return ['Usage: rental', name, ...args, ...optional, ...words].join(' ')
}

/** What `rental <command> --help` says. */
export function commandHelp(command: Command, width: number | undefined): string {
  const options = [...command.options, ...commonOptions].map(
    ({ name, value, summary }) =>
      [`--${name}${value === undefined ? '' : ` ${value}`}`, summary] as const,
  )
  const examples = command.examples.map((example) => `  ${example}\n`).join('')
  return (
    `${usageLine(command)}\n\n${command.summary}\n\n` +
    `Options:\n${definitions(options, width)}\nExamples:\n${examples}`
  )
}

export const generalUsage = 'Usage: rental COMMAND [OPTIONS]\n'

/** What `rental help` says. */
export function overview(commands: readonly Command[], width: number | undefined): string {
  const list = commands.map(
    ({ name, args, summary }) => [[name, ...args].join(' '), summary] as const,
  )
  return (
    `${generalUsage}\n${definitions(list, width)}\n` +
    'Every command takes --json, and --help shows its options and examples. It works on\n' +
    'DATABASE_URL, or on the embedded database in DATA_DIR. Exit codes: 0 done, 1 refused,\n' +
    '2 wrong usage. To begin with:\n\n' +
    '  rental fleet import examples/fleet.json\n' +
    "  rental keys create --tenant fjord-cars --name 'My site' --scopes all\n" +
    '  source <(rental completion bash)\n'
  )
}

/** What the help says of commands, for programs. */
export function helpAsJson(commands: readonly Command[]) {
  return commands.map((command) => ({
    name: command.name,
    usage: usageLine(command).replace('Usage: ', ''),
    summary: command.summary,
    args: command.args,
    optionalArgs: command.optionalArgs ?? [],
    options: [...command.options, ...commonOptions].map(
      ({ name, value = null, required = false, multiple = false, summary }) => ({
        name,
        value,
        required,
        multiple,
        summary,
      }),
    ),
    examples: command.examples,
  }))
}

function optionUsage({ name, value, required = false, multiple = false }: CommandOption): string {
  const written = `--${name}${value === undefined ? '' : ` ${value}`}`
  return `${required ? written : `[${written}]`}${multiple ? '…' : ''}`
}
