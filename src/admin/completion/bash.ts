import type { Command } from '../command.ts'
import { choicesIn, groupsOf, nextWords, optionsOf, valuesOf } from './words.ts'

/** A script for bash. Everything it offers stands in it: no process is started while somebody types. */
export function bashCompletion(commands: readonly Command[]): string {
  return `# bash completion of rental
_rental() {
  # Split anew: bash itself also splits at the colons and equals signs within a word.
  local line="\${COMP_LINE:0:$COMP_POINT}" command="" word words="" index
  local typed=($line)
  case "$line" in *" ") typed+=("") ;; esac
  local last=$((\${#typed[@]} - 1))
  local current="\${typed[last]}" previous="\${typed[last-1]}"
  for ((index = 1; index < last; index++)); do
    word="\${typed[index]}"
    case "$word" in -*) break ;; esac
    case "$command" in
      "") command="$word" ;;
      ${groupsOf(commands).join(' | ')}) command="$command $word" ;;
    esac
  done
  case "$command $previous" in
${valueCases(commands)}  esac
  case "$command" in
${commandCases(commands)}  esac
  _rental_offer "$words"
}
# What bash has split off the word is there already; zsh, which also runs this, splits nothing off.
_rental_offer() {
  local rest="\${current##*[:=]}"
  COMPREPLY=($(compgen -W "$1" -- "$current"))
  [ -z "$BASH_VERSION" ] || COMPREPLY=("\${COMPREPLY[@]#"\${current%"$rest"}"}")
}
complete -F _rental rental
`
}

/** What follows an option with a value: its choices, or nothing that can be known. */
function valueCases(commands: readonly Command[]): string {
  const cases = commands.flatMap((command) =>
    optionsOf(command).flatMap((option) => {
      const values = valuesOf(option)
      if (values === undefined) return []
      return [
        `    "${command.name} --${option.name}") _rental_offer "${values.join(' ')}"; return ;;\n`,
      ]
    }),
  )
  return cases.join('')
}

function commandCases(commands: readonly Command[]): string {
  const first = ['help', ...nextWords(commands, [])]
  const cases = [`    "") words="${first.join(' ')}" ;;\n`]
  for (const group of groupsOf(commands)) {
    cases.push(`    "${group}") words="${nextWords(commands, [group]).join(' ')}" ;;\n`)
  }
  for (const command of commands) {
    const options = optionsOf(command).map(({ name }) => `--${name}`)
    const words = [...command.args.flatMap(choicesIn), ...options].join(' ')
    const files = command.args.includes('FILE')
    const file = 'COMPREPLY=($(compgen -f -- "$current")); return'
    const offer = `words="${words}"`
    const body = files ? `case "$current" in -*) ${offer} ;; *) ${file} ;; esac` : offer
    cases.push(`    "${command.name}") ${body} ;;\n`)
  }
  return cases.join('')
}
