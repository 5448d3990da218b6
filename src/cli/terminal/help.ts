import { type CommandUnknownOpts, Help, type HelpConfiguration } from '@commander-js/extra-typings'

/** The help of every level: commander's, with all commands on one page, and examples. */
export const helpConfiguration: HelpConfiguration = {
  showGlobalOptions: true,
  minWidthToWrap: 20,
  subcommandTerm: nameOf,
  optionDescription: (option) =>
    new Help().optionDescription(option) + (option.mandatory ? ' (required)' : ''),
  formatHelp(command, helper) {
    const [word = ''] = command.args
    // Commander explains the level that it knows when asked for the help of a word that it doesn't.
    const isUnknown = command.commands.length > 0 && /^[^-]/.test(word)
    if (isUnknown) command.error(`error: unknown command '${word}'`)
    // Suggestions for typing errors come from `visibleCommands`, which must stay a level's own.
    const flat: Help = Object.assign(Object.create(helper), { visibleCommands: leavesOf })
    const examples = examplesOf(command).map((example) => `  ${example.replaceAll('\n', '\n  ')}\n`)
    return `${Help.prototype.formatHelp.call(flat, command, flat)}\nExamples:\n${examples.join('')}`
  },
}

/** The examples of a command; of a group, the first one of each member. */
function examplesOf(
  given: CommandUnknownOpts & { readonly examples?: readonly string[] },
): readonly string[] {
  return given.examples ?? leavesOf(given).flatMap((leaf) => examplesOf(leaf).slice(0, 1))
}

function leavesOf({ commands }: CommandUnknownOpts): CommandUnknownOpts[] {
  return commands.flatMap((each) => (each.commands.length > 0 ? leavesOf(each) : [each]))
}

/** What is typed after `rental`, such as `keys create`. */
function nameOf(given: CommandUnknownOpts): string {
  const { parent } = given
  return parent?.parent ? `${nameOf(parent)} ${given.name()}` : given.name()
}
