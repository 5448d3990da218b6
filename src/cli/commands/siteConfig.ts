import { readSiteConfig } from '../../services/readSiteConfig.ts'
import { type Context, tenantCommand } from '../command.ts'
import { writeJsonTo } from '../outputFile.ts'

export const siteConfig = (context: Context) =>
  tenantCommand(
    'config',
    'Print the tenant settings that a website needs and the API does not provide.',
    [
      'rental site config --tenant fjord-cars',
      'rental site config --tenant fjord-cars --out /var/www/rental.json',
    ],
  )
    .option('--out <file>', 'write the config to this file, atomically')
    .action(async ({ tenant, out }) =>
      writeJsonTo(context, out, await context.withTenant(tenant, readSiteConfig)),
    )
