import { readFile } from 'node:fs/promises'
import type { FleetChange } from '../fleet/listChanges.ts'
import { decodeFleetFile, parseFleetFile } from '../fleet/parseFleetFile.ts'
import { hasCode } from '../hasCode.ts'
import { importFleet, MuchArchived } from '../services/importFleet.ts'
import { Refusal } from '../services/refusal.ts'
import { command } from './command.ts'
import type { Context, Io } from './context.ts'
import { count } from './options.ts'
import { withProgress } from './progress.ts'
import { table } from './table.ts'

export const fleetImport = ({ io, withDatabase, answer }: Context) =>
  command('import', 'Create or update one tenant from a fleet file.', [
    'rental fleet import examples/fleet.json',
    'rental fleet import fleet.json --dry-run',
    'rental fleet import - --json < fleet.json',
  ])
    .argument('<file>', 'path of the file, or - for standard input')
    .option('--dry-run', 'list what would be created, changed and archived, and change nothing')
    .option('--yes', 'archive more than half of the groups and vehicles without being asked')
    .action(async (file, { yes = false, dryRun = false }) => {
      const fleet = parseFleetFile(decodeFleetFile(await readBytes(file, io)))
      const load = (archiveMuch: boolean) =>
        withProgress(io, 'Rows written', (onProgress) =>
          withDatabase((database) =>
            importFleet(database, fleet, { onProgress, archiveMuch, dryRun }),
          ),
        )
      const result = await load(yes).catch(async (error: unknown) => {
        if (!(error instanceof MuchArchived) || io.ask === undefined) throw error
        if (!(await io.ask(`${error.what} Archive them?`))) throw error
        return load(true)
      })
      const { slug, assetGroups, extras, created, updated, archived, changes, muchArchived } =
        result
      if (changes !== undefined) {
        const needsYes = muchArchived !== undefined
        const json = { slug, dryRun, created, updated, archived, needsYes, changes }
        const warning = needsYes ? `${muchArchived} The import will ask for --yes.\n` : ''
        return answer({ json, text: changeTable(changes, io.columns) + warning })
      }
      const vehicles = assetGroups.reduce((sum, { assets }) => sum + assets.length, 0)
      const text =
        `${slug}: ${count(assetGroups.length, 'group')}, ${count(vehicles, 'vehicle')}, ` +
        `${count(extras.length, 'extra')}.\n` +
        `Created ${created}, updated ${updated}, archived ${archived}.\n`
      answer({ json: result, text })
    })

function changeTable(changes: readonly FleetChange[], width: number | undefined): string {
  if (changes.length === 0) return 'Nothing would change.\n'
  const rows = changes.map(({ change, kind, name, field, from, to }) => ({
    CHANGE: change,
    OF: kind,
    NAME: name,
    FIELD: field ?? '',
    FROM: field === null ? '' : String(from),
    TO: field === null ? '' : String(to),
  }))
  return `${table(rows, { whole: ['CHANGE', 'OF', 'FIELD'] }, width)}Nothing was changed.\n`
}

async function readBytes(file: string, io: Io): Promise<Buffer> {
  if (file !== '-') {
    try {
      return await readFile(file)
    } catch (error) {
      const reason = hasCode(error, 'ENOENT')
        ? 'there is no such file'
        : hasCode(error, 'EISDIR')
          ? 'it is a directory'
          : hasCode(error, 'EACCES', 'EPERM')
            ? 'you may not read it'
            : String(error)
      throw new Refusal(`Can't read ${file}: ${reason}.`)
    }
  }
  const chunks: Buffer[] = []
  for await (const chunk of io.stdin) {
    chunks.push(Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk)))
  }
  return Buffer.concat(chunks)
}
