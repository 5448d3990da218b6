import type { Command } from '../command.ts'
import { bashCompletion } from './bash.ts'

/** A script for zsh, which can run bash's. Works as a file of the fpath and when sourced. */
export function zshCompletion(commands: readonly Command[]): string {
  return `#compdef rental
autoload -U +X compinit && compinit
autoload -U +X bashcompinit && bashcompinit
${bashCompletion(commands)}`
}
