import { UsageError } from './command.ts'
import type { OptionValues } from './optionValues.ts'

/**
 * The limits given as `--limit NAME=COUNT`; `NAME=default` is null.
 * @throws UsageError for anything else
 */
export function readLimits(options: OptionValues): Record<string, number | null> {
  const pairs = options.all('limit').map((entry) => {
    const match = /^(\w+)=(\d+|default)$/.exec(entry)
    if (match === null) throw new UsageError(`--limit must be like reads=600, not "${entry}".`)
    const [, name = '', count = ''] = match
    return [name, count === 'default' ? null : Number(count)] as const
  })
  return Object.fromEntries(pairs)
}
