import type { Command, CommandOption } from '../command.ts'
import { commonOptions } from '../help.ts'

/** The fixed values of `a|b`; what stands for something else, such as SLUG, is none. */
export function choicesIn(value: string): string[] {
  return value.split('|').filter((choice) => /^[a-z][a-z_]*$/.test(choice))
}

/** What may follow an option: undefined for a switch. */
export function valuesOf({ value, suggestions = [] }: CommandOption): string[] | undefined {
  return value === undefined ? undefined : [...choicesIn(value), ...suggestions]
}

export function optionsOf(command: Command): readonly CommandOption[] {
  return [...command.options, ...commonOptions]
}

/** The words that may follow `prefix` in the names of the commands, such as `list` after `keys`. */
export function nextWords(commands: readonly Command[], prefix: readonly string[]): string[] {
  const words = commands
    .map(({ name }) => name.split(' '))
    .filter((name) => prefix.every((word, index) => name[index] === word))
    .flatMap((name) => name.slice(prefix.length, prefix.length + 1))
  return [...new Set(words)]
}

/** The first words of commands that have two. */
export function groupsOf(commands: readonly Command[]): string[] {
  const firsts = commands.map(({ name }) => name.split(' '))
  return [...new Set(firsts.flatMap(([first, second]) => (second && first ? [first] : [])))]
}
