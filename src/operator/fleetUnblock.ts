import { unblockAsset } from '../services/blockAsset.ts'
import { shown } from './cell.ts'
import { command } from './command.ts'
import type { Context } from './context.ts'
import { beginning } from './options.ts'
import { longTime } from './when.ts'

export const fleetUnblock = ({ now, withDatabase, answer }: Context) =>
  command('unblock', 'Put a blocked vehicle into service again.', [
    "rental fleet unblock 'EL 12345'",
    "rental fleet unblock 'EL 12345' --from '2027-03-01 08:00'",
  ])
    .argument('<asset>', 'ref of the vehicle')
    .option('--from <time>', 'which of several blocks: when it begins', beginning)
    .option('--tenant <slug>', 'of which tenant, if several have such a vehicle')
    .option('--group <ref>', 'in which group, if it is in several')
    .action(async (ref, { from, tenant: slug, group: groupRef }) => {
      const block = await withDatabase((database) =>
        unblockAsset(database, { ref, slug, groupRef }, from, now),
      )
      const text =
        `Unblocked ${shown(block.asset)} (${block.tenant}, ${shown(block.assetGroup)}): it was blocked from ` +
        `${longTime(block.from, block.timezone)} to ${longTime(block.to, block.timezone)}.\n`
      const warning =
        'A fleet file set this block: import one without it, or the next brings it back.\n'
      answer({ json: block, text: block.blockedBy === null ? text + warning : text })
    })
