import { readFile } from 'node:fs/promises'
import { parseFleetFile } from '../fleet/parseFleetFile.ts'
import { importFleet } from '../services/importFleet.ts'
import { Refusal } from '../services/refusal.ts'
import { command } from './command.ts'
import type { Context, Io } from './context.ts'
import { withProgress } from './progress.ts'

export const fleetImport = ({ io, withDatabase, answer }: Context) =>
  command('import', 'Create or update one tenant from a fleet file.', [
    'rental fleet import examples/fleet.json',
    'rental fleet import - --json < fleet.json',
  ])
    .argument('<file>', 'path of the file, or - for standard input')
    .action(async (file) => {
      const fleet = parseFleetFile(await readText(file, io))
      const result = await withProgress(io, 'Rows written', (onProgress) =>
        withDatabase((database) => importFleet(database, fleet, onProgress)),
      )
      const { slug, assetGroups, extras, created, updated, archived } = result
      const vehicles = assetGroups.reduce((sum, { assets }) => sum + assets.length, 0)
      const text =
        `${slug}: ${assetGroups.length} groups, ${vehicles} vehicles, ${extras.length} extras.\n` +
        `Created ${created}, updated ${updated}, archived ${archived}.\n`
      answer({ json: result, text })
    })

async function readText(file: string, io: Io): Promise<string> {
  if (file !== '-') {
    try {
      return await readFile(file, 'utf8')
    } catch (error) {
      throw new Refusal(`Can't read ${file}: ${error instanceof Error ? error.message : error}`)
    }
  }
  const chunks: Buffer[] = []
  for await (const chunk of io.stdin) {
    chunks.push(Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk)))
  }
  return Buffer.concat(chunks).toString('utf8')
}
