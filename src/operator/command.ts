import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from './context.ts'

type MakeCommand = (context: Context) => CommandUnknownOpts

/** The id in every example. */
export const exampleId = '4f1c2a9e'

const examples = new WeakMap<CommandUnknownOpts, readonly string[]>()

/** A command that takes and does nothing yet. Its `lines` are examples, as they are typed. */
export function command(name: string, summary: string, lines: readonly string[]) {
  const created = new Command(name).description(summary)
  examples.set(created, lines)
  return created
}

/** Commands under a common first word. */
export function group(name: string, summary: string, members: readonly MakeCommand[]): MakeCommand {
  return (context) => {
    const created = new Command(name).description(summary)
    for (const make of members) created.addCommand(make(context))
    return created
  }
}

/** The examples of a command; of a group, the first one of each member. */
export function examplesOf(given: CommandUnknownOpts): readonly string[] {
  return examples.get(given) ?? leavesOf(given).flatMap((leaf) => examplesOf(leaf).slice(0, 1))
}

/** The commands below this one that do something. */
export function leavesOf({ commands }: CommandUnknownOpts): CommandUnknownOpts[] {
  return commands.flatMap((each) => (each.commands.length > 0 ? leavesOf(each) : [each]))
}

/** What is typed after `rental`, such as `keys create`. */
export function nameOf(given: CommandUnknownOpts): string {
  const { parent } = given
  return parent?.parent ? `${nameOf(parent)} ${given.name()}` : given.name()
}
