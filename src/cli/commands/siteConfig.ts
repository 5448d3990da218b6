import { realpath, stat } from 'node:fs/promises'
import { describeFsError, writeFileAtomic } from '../../config/files.ts'
import { OperatorError } from '../../services/operatorError.ts'
import { siteConfig as configOf, type SiteConfig } from '../../services/siteConfig.ts'
import { type Context, tenantCommand } from '../command.ts'
import { sanitizeJsonForTerminal } from '../terminal/cell.ts'

const worldReadable = 0o644

export const siteConfig = ({ withTenant, finish }: Context) =>
  tenantCommand(
    'config',
    'Print the tenant settings that a website needs and the API does not provide.',
    [
      'rental site config --tenant fjord-cars',
      'rental site config --tenant fjord-cars --out /var/www/rental.json',
    ],
  )
    .option('--out <file>', 'write the config to this file, atomically')
    .action(async ({ tenant, out }) => {
      const json = await withTenant(tenant, configOf)
      if (out === undefined) return finish({ json })
      await write(out, json)
      finish({ json, text: `Wrote ${out}.\n` })
    })

async function write(file: string, json: SiteConfig): Promise<void> {
  const cannotWrite = (reason: unknown) => new OperatorError(`Can't write ${file}: ${reason}.`)
  // Replace the target of a symbolic link, not the link. Never replace devices such as /dev/null.
  const path = await realpath(file).catch(() => file)
  const existing = await stat(path).catch(() => undefined)
  if (existing?.isFile() === false) throw cannotWrite('it is not a file')
  await writeFileAtomic(path, `${sanitizeJsonForTerminal(json)}\n`, { mode: worldReadable }).catch(
    (error: unknown) => {
      throw cannotWrite(describeFsError(error) ?? error)
    },
  )
}
