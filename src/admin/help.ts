import type { Command, CommandOption } from './command.ts'
import { table } from './table.ts'

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
export function commandHelp(command: Command): string {
  const rows = [...command.options, ...commonOptions].map((option) => ({
    option: `  --${option.name}${option.value === undefined ? '' : ` ${option.value}`}`,
    summary: option.summary,
  }))
  return `${usageLine(command)}\n\n${command.summary}\n\n${table(rows, [{ field: 'option' }, { field: 'summary' }])}`
}

export const generalUsage = 'Usage: rental COMMAND [OPTIONS]\n'

/** What `rental help` says. */
export function overview(commands: readonly Command[]): string {
  const rows = commands.map(({ name, args, summary }) => ({
    command: `  ${[name, ...args].join(' ')}`,
    summary,
  }))
  const list = table(rows, [{ field: 'command' }, { field: 'summary' }])
  return (
    `${generalUsage}\n${list}\n` +
    'Every command takes --json and --help. It works on DATABASE_URL, or on the embedded database\n' +
    'in DATA_DIR. Exit codes: 0 done, 1 refused, 2 wrong usage.\n'
  )
}

function optionUsage({ name, value, required = false, multiple = false }: CommandOption): string {
  const written = `--${name}${value === undefined ? '' : ` ${value}`}`
  return `${required ? written : `[${written}]`}${multiple ? '…' : ''}`
}
