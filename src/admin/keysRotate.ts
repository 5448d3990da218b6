import { rotateApiKey } from '../services/apiKeys.ts'
import { type Command, UsageError } from './command.ts'
import { checkId } from './ids.ts'
import { showOnce } from './showKey.ts'

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }
const overlapSecondsMax = 366 * 86_400
const defaultOverlap = '7d'

export const keysRotateCommand: Command = {
  name: 'keys rotate',
  summary: 'Give an API key a new secret, shown this once; all else about it goes on.',
  args: ['ID'],
  options: [
    {
      name: 'overlap',
      value: 'TIME',
      summary: `how long the old secret still works: 30m, 12h, 7d (default ${defaultOverlap}), 0s`,
    },
  ],
  examples: [
    'rental keys rotate 4f1c2a9e-6b0d-4c57-9a51-7d1f0c7f5a11',
    'rental keys rotate 4f1c2a9e-6b0d-4c57-9a51-7d1f0c7f5a11 --overlap 12h',
    'rental keys rotate 4f1c2a9e-6b0d-4c57-9a51-7d1f0c7f5a11 --overlap 0s',
  ],
  async run({ args: [given], options, now, withDatabase }) {
    const overlapSeconds = readDuration(options.text('overlap') ?? defaultOverlap)
    const id = checkId('an API key', given)
    const rotated = await withDatabase((database) =>
      rotateApiKey(database, id, overlapSeconds, now),
    )
    const ends = rotated.replaced.map(
      ({ prefix, last4, endsAt }) =>
        `The old secret, ${prefix}…${last4}, works until ${endsAt?.toISOString()}.\n`,
    )
    return { json: rotated, text: showOnce(rotated) + ends.join('') }
  },
}

function readDuration(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  const seconds = Number(count) * (unitSeconds[unit] ?? Number.NaN)
  if (seconds >= 0 && seconds <= overlapSecondsMax) return seconds
  throw new UsageError(`--overlap must be like 30m, 12h or 7d, at most 366d, not "${text}".`)
}
