import { realpath, stat } from 'node:fs/promises'
import { fileTrouble, writeWhole } from '../../config/files.ts'
import { Refusal } from '../../services/operatorError.ts'
import { siteConfig as configOf, type SiteConfig } from '../../services/siteConfig.ts'
import { type Context, tenantCommand } from '../command.ts'
import { harmlessJson } from '../terminal/cell.ts'

const everybodyReads = 0o644

export const siteConfig = ({ withDatabase, answer }: Context) =>
  tenantCommand(
    'config',
    'Print the tenant settings that a website needs and the API does not provide.',
    [
      'rental site config --tenant fjord-cars',
      'rental site config --tenant fjord-cars --out /var/www/rental.json',
    ],
  )
    .option('--out <file>', 'write it to this file, which is replaced in one step')
    .action(async ({ tenant, out }) => {
      const json = await withDatabase(configOf, tenant)
      if (out === undefined) return answer({ json })
      await write(out, json)
      answer({ json, text: `Wrote ${out}.\n` })
    })

async function write(file: string, json: SiteConfig): Promise<void> {
  const refusal = (reason: unknown) => new Refusal(`Can't write ${file}: ${reason}.`)
  // What a link leads to is replaced, not the link; and what is no file, such as `/dev/null`, stays.
  const path = await realpath(file).catch(() => file)
  const there = await stat(path).catch(() => undefined)
  if (there?.isFile() === false) throw refusal('it is not a file')
  await writeWhole(path, `${harmlessJson(json)}\n`, { mode: everybodyReads }).catch(
    (error: unknown) => {
      throw refusal(fileTrouble(error) ?? error)
    },
  )
}
