import { type Command, UsageError } from './command.ts'
import { bashCompletion } from './completion/bash.ts'
import { fishCompletion } from './completion/fish.ts'
import { zshCompletion } from './completion/zsh.ts'

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }
const shells = Object.keys(scripts) as (keyof typeof scripts)[]

/** Needs to know all commands, itself among them. */
export function completionCommand(commands: () => readonly Command[]): Command {
  return {
    name: 'completion',
    summary: 'Print a script that completes commands, options and their values in a shell.',
    args: [shells.join('|')],
    options: [],
    examples: [
      'source <(rental completion bash)',
      'rental completion zsh > ~/.zfunc/_rental',
      'rental completion fish > ~/.config/fish/completions/rental.fish',
    ],
    async run({ args: [given] }) {
      const shell = shells.find((known) => known === given)
      if (shell === undefined) {
        throw new UsageError(`The shell must be one of ${shells.join(', ')}, not "${given}".`)
      }
      const script = scripts[shell](commands())
      return { json: { shell, script }, text: script }
    },
  }
}
