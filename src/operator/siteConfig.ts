import { readFile, realpath, stat } from 'node:fs/promises'
import { fileTrouble, writeWhole } from '../base/disk.ts'
import { keepLooking } from '../services/keepLooking.ts'
import { Refusal } from '../services/refusal.ts'
import { siteConfig as configOf, type SiteConfig } from '../services/siteConfig.ts'
import { watching } from './bookingsWatch.ts'
import { harmlessJson } from './cell.ts'
import { type Context, tenantCommand } from './command.ts'

const everybodyReads = 0o644

export const siteConfig = ({ io, withDatabase, tell, answer }: Context) =>
  tenantCommand(
    'config',
    'Print the tenant settings that a website needs and the API does not provide.',
    [
      'rental site config --tenant fjord-cars',
      'rental site config --tenant fjord-cars --out /var/www/rental.json --watch',
    ],
  )
    .option('--out <file>', 'write it to this file, which is replaced in one step')
    .option('--watch', 'with --out: write it again after each change, until interrupted')
    .action(({ tenant, out, watch = false }, self) => {
      if (watch && out === undefined) self.error('error: --watch needs --out')
      return withDatabase(async (database) => {
        const readConfig = () => configOf(database, tenant)
        if (out === undefined || !watch) {
          const json = await readConfig()
          if (out === undefined) return answer({ json })
          await write(out, json)
          return answer({ json, text: `Wrote ${out}.\n` })
        }
        for await (const json of keepLooking(readConfig, watching(io))) {
          if (textOf(json) === (await readFile(out, 'utf8').catch(() => ''))) continue
          await write(out, json)
          tell({ json, text: `Wrote ${out}.\n` })
        }
      })
    })

const textOf = (json: SiteConfig) => `${harmlessJson(json)}\n`

async function write(file: string, json: SiteConfig): Promise<void> {
  const refusal = (reason: unknown) => new Refusal(`Can't write ${file}: ${reason}.`)
  // What a link leads to is replaced, not the link; and what is no file, such as `/dev/null`, stays.
  const path = await realpath(file).catch(() => file)
  const there = await stat(path).catch(() => undefined)
  if (there?.isFile() === false) throw refusal('it is not a file')
  await writeWhole(path, textOf(json), { mode: everybodyReads }).catch((error: unknown) => {
    throw refusal(fileTrouble(error) ?? error)
  })
}
