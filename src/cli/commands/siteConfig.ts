import { readSiteConfig } from '../../services/readSiteConfig.ts'
import { type Context, tenantCommand } from '../command.ts'
import { siteConfigOutput } from '../output/fleet.ts'
import { writeOutputFile } from '../outputFile.ts'
import { sanitizeJsonForTerminal } from '../terminal/cell.ts'

export const siteConfig = ({ withTenant, finish }: Context) =>
  tenantCommand(
    'config',
    'Print the tenant settings that a website needs and the API does not provide.',
    [
      'rental site config --tenant fjord-cars',
      'rental site config --tenant fjord-cars --out /var/www/rental.json',
    ],
    siteConfigOutput,
  )
    .option('--out <file>', 'write the config to this file, atomically')
    .action(async ({ tenant, out }) => {
      const json = await withTenant(tenant, readSiteConfig)
      if (out === undefined) return finish({ json })
      await writeOutputFile(out, `${sanitizeJsonForTerminal(json)}\n`)
      finish({ json, text: `Wrote ${out}.\n` })
    })
