import { UsageError } from './command.ts'

type Parsed = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>

/** The options of one call; bad values are wrong usage. */
export class OptionValues {
  readonly #parsed: Parsed

  constructor(parsed: Parsed) {
    this.#parsed = parsed
  }

  flag(name: string): boolean {
    return this.#parsed[name] === true
  }

  text(name: string): string | undefined {
    const value = this.#parsed[name]
    return typeof value === 'string' ? value : undefined
  }

  /** An option that the command declares as required. */
  required(name: string): string {
    const value = this.text(name)
    if (value === undefined) throw new UsageError(`--${name} is required.`)
    return value
  }

  /** An option that may be given several times. */
  all(name: string): string[] {
    const value = this.#parsed[name]
    return Array.isArray(value) ? value.map(String) : []
  }

  /** The entries of a comma-separated list. */
  list(name: string): string[] {
    const entries = (this.text(name) ?? '').split(',').map((entry) => entry.trim())
    return entries.filter((entry) => entry !== '')
  }

  choice<Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined {
    const value = this.text(name)
    if (value === undefined) return undefined
    const chosen = choices.find((choice) => choice === value)
    if (chosen === undefined) {
      throw new UsageError(`--${name} must be one of ${choices.join(', ')}, not "${value}".`)
    }
    return chosen
  }
}
