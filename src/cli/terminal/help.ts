import { type CommandUnknownOpts, Help, type HelpConfiguration } from '@commander-js/extra-typings'

/** The help format: commander's, with all subcommands on one page, and examples. */
export const helpConfiguration: HelpConfiguration = {
  showGlobalOptions: true,
  minWidthToWrap: 20,
  subcommandTerm: nameOf,
  optionDescription: (option) =>
    new Help().optionDescription(option) + (option.mandatory ? ' (required)' : ''),
  formatHelp(command, helper) {
    const [word = ''] = command.args
    // Without this check, commander shows the parent's help for an unknown command.
    const isUnknown = command.commands.length > 0 && /^[^-]/.test(word)
    if (isUnknown) command.error(`error: unknown command '${word}'`)
    // Override a copy, because commander's suggestions need the original `visibleCommands`.
    const flat: Help = Object.assign(Object.create(helper), { visibleCommands: leavesOf })
    const examples = examplesOf(command).map((example) => `  ${example.replaceAll('\n', '\n  ')}\n`)
    return `${Help.prototype.formatHelp.call(flat, command, flat)}\nExamples:\n${examples.join('')}`
  },
}

/** Returns the examples of a command, or the first example of each command of a group. */
function examplesOf(
  given: CommandUnknownOpts & { readonly examples?: readonly string[] },
): readonly string[] {
  return given.examples ?? leavesOf(given).flatMap((leaf) => examplesOf(leaf).slice(0, 1))
}

export function leavesOf({ commands }: CommandUnknownOpts): CommandUnknownOpts[] {
  return commands.flatMap((each) => (each.commands.length > 0 ? leavesOf(each) : [each]))
}

/** Returns the full name of a command, such as `keys create`. */
export function nameOf(given: CommandUnknownOpts): string {
  const { parent } = given
  return parent?.parent ? `${nameOf(parent)} ${given.name()}` : given.name()
}
