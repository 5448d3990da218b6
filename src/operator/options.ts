import { InvalidArgumentError } from '@commander-js/extra-typings'
import { uuid } from '../input/fields.ts'
import { WrongUsage } from '../services/refusal.ts'

/** The values of an option that may be given several times. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

/**
 * One limit more, from `NAME=COUNT`; `NAME=default` is null.
 * @throws InvalidArgumentError for anything else
 */
export function collectLimit(
  entry: string,
  before: Readonly<Record<string, number | null>> = {},
): Readonly<Record<string, number | null>> {
  const match = /^(\w+)=(\d+|default)$/.exec(entry)
  if (match === null) throw new InvalidArgumentError('Use NAME=COUNT, such as reads=600.')
  const [, name = '', count = ''] = match
  return { ...before, [name]: count === 'default' ? null : Number(count) }
}

/** Who is on record for what is done. */
export const asOption = [
  '--as <name>',
  'who it is recorded for (default: RENTAL_OPERATOR, or the account)',
] as const

/**
 * An id as it can be looked up.
 * @throws WrongUsage for what can't be the id of anything
 */
export function checkId(what: string, id = ''): string {
  const { success, data } = uuid.safeParse(id)
  if (success) return data
  throw new WrongUsage(`"${id}" is not a valid ${what} ID.`)
}

/** How many of what, such as `1 group`. */
export const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`
