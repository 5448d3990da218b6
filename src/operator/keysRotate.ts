import { Option } from '@commander-js/extra-typings'
import { daySeconds } from '../domain/units.ts'
import { rotateApiKey } from '../services/apiKeys.ts'
import { resolveKey } from '../services/resolveIds.ts'
import { command, exampleId } from './command.ts'
import type { Context } from './context.ts'
import { readDuration } from './duration.ts'
import { keyIdHelp } from './options.ts'
import { showOnce } from './showKey.ts'

const overlap = new Option(
  '--overlap <time>',
  'how long the old secret still works, such as 0s, 30m, 12h or 7d',
)
  .default(7 * daySeconds, '7d')
  .argParser(readDuration)

export const keysRotate = ({ now, withDatabase, answer }: Context) =>
  command('rotate', 'Replace the secret of an API key. The new secret is shown only once.', [
    `rental keys rotate ${exampleId}`,
    `rental keys rotate ${exampleId} --overlap 12h`,
    `rental keys rotate ${exampleId} --overlap 0s`,
  ])
    .argument('<id>', keyIdHelp)
    .addOption(overlap)
    .action(async (given, { overlap: overlapSeconds }) => {
      const rotated = await withDatabase(async (database) =>
        rotateApiKey(database, await resolveKey(database, given), overlapSeconds, now),
      )
      const ends = rotated.replaced.map(
        ({ prefix, last4, endsAt }) =>
          `The old secret ${prefix}…${last4} works until ${endsAt?.toISOString()}.\n`,
      )
      answer({ json: rotated, text: showOnce(rotated) + ends.join('') })
    })
