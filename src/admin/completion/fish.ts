import type { Command } from '../command.ts'
import { choicesIn, groupsOf, nextWords, optionsOf, valuesOf } from './words.ts'

/** A script for fish, with the summaries beside what it offers. */
export function fishCompletion(commands: readonly Command[]): string {
  const names = [[], ...groupsOf(commands).map((group) => [group])].flatMap((prefix) =>
    nextWords(commands, prefix).map((word) => {
      const begins = ['__rental_begins', ...prefix].join(' ')
      return line(begins, `-a ${word}`, summaryOf(commands, [...prefix, word].join(' ')))
    }),
  )
  const help = line('__rental_begins', '-a help', 'Explain the commands.')
  const options = commands.map(commandLines)
  return `# fish completion of rental
function __rental_is --description 'Whether these are the words of the command so far'
    set -l words (commandline -opc)
    set -e words[1]
    set -l words (string match -v -- '-*' $words)
    set -l length (count $argv)
    test $length -eq 0; or test "$words[1..$length]" = "$argv"
end
function __rental_begins --description 'Whether these are all the words so far'
    set -l words (commandline -opc)
    test (count $words) -eq (math (count $argv) + 1); and __rental_is $argv
end
complete -c rental -f
${[help, ...names, ...options].join('')}`
}

function commandLines(command: Command): string {
  const here = `__rental_is ${command.name}`
  const args = command.args.flatMap((arg) => {
    if (arg === 'FILE') return [line(here, '-F', arg)]
    return choicesIn(arg).map((choice) => line(here, `-a ${choice}`, arg))
  })
  const options = optionsOf(command).map((option) => {
    const values = valuesOf(option)
    const value = values === undefined ? '' : ` -x -a '${values.join(' ')}'`
    return line(here, `-l ${option.name}${value}`, option.summary)
  })
  return [...args, ...options].join('')
}

const summaryOf = (commands: readonly Command[], name: string) =>
  commands.find((command) => command.name === name)?.summary ?? `${name} …`

function line(condition: string, offer: string, description: string): string {
  const quoted = `'${description.replaceAll("'", "\\'")}'`
  return `complete -c rental -n '${condition}' ${offer} -d ${quoted}\n`
}
