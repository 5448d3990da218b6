import { createReadStream } from 'node:fs'
import { describeFsError } from '../../config/files.ts'
import { pluralize } from '../../domain/pluralize.ts'
import type { FleetChange } from '../../fleet/listChanges.ts'
import { decodeFleetFile, parseFleetFile } from '../../fleet/parseFleetFile.ts'
import { importFleet } from '../../services/importFleet.ts'
import { OperatorError } from '../../services/operatorError.ts'
import { type Context, command, type Io } from '../command.ts'
import { table } from '../terminal/table.ts'

export const fleetImport = ({ io, withDatabase, finish }: Context) =>
  command('import', 'Create or update one tenant from a fleet file.', [
    'rental fleet import examples/small-fleet.json',
    'rental fleet import fleet.json --dry-run',
    'rental fleet import - --json < fleet.json',
  ])
    .argument('<file>', 'path of the file, or - for standard input')
    .option('--dry-run', 'list what would be created, changed and archived, and change nothing')
    .option('--yes', 'archive more than half of the groups and vehicles without being asked')
    .action(async (file, { yes = false, dryRun = false }) => {
      const fleet = parseFleetFile(decodeFleetFile(await readBytes(file, io)))
      const onProgress = (done: number, total: number) => {
        const percent = Math.floor((100 * done) / total)
        io.writeProgress?.(`Rows written: ${grouped(done)} of ${grouped(total)} (${percent} %)`)
      }
      const load = (archiveMuch: boolean) =>
        withDatabase(importFleet, fleet, { onProgress, archiveMuch, dryRun }).finally(() =>
          io.writeProgress?.(''),
        )
      let result = await load(yes)
      const much = result.muchArchived
      if (much !== undefined && !dryRun) {
        if (!(await io.ask?.(`${much} Archive them?`))) {
          throw new OperatorError(
            `${much} Nothing was changed. If that is meant, repeat it with --yes.`,
          )
        }
        result = await load(true)
      }
      const { changes, muchArchived, ...imported } = result
      const { slug, assetGroups, extras, created, updated, archived } = imported
      if (changes !== undefined) {
        const needsYes = muchArchived !== undefined
        const json = { slug, dryRun, created, updated, archived, needsYes, changes }
        const warning = needsYes ? `${muchArchived} The import will require --yes.\n` : ''
        return finish({ json, text: changeTable(changes, io.columns) + warning })
      }
      const vehicles = assetGroups.reduce((sum, { assets }) => sum + assets.length, 0)
      const text =
        `${slug}: ${pluralize(assetGroups.length, 'group')}, ${pluralize(vehicles, 'vehicle')}, ` +
        `${pluralize(extras.length, 'extra')}.\n` +
        `Created ${created}, updated ${updated}, archived ${archived}.\n`
      finish({ json: imported, text })
    })

function changeTable(changes: readonly FleetChange[], width: number | undefined): string {
  if (changes.length === 0) return 'Nothing would change.\n'
  const whole = []
  const fields = []
  for (const { change, kind, name, field, from, to } of changes) {
    const row = { CHANGE: change, KIND: kind, NAME: name }
    if (field === null) whole.push(row)
    else fields.push({ ...row, FIELD: field, FROM: String(from), TO: String(to) })
  }
  // A block's dates are in its name, which is wrapped where it is too long, not cut.
  const tables = [
    table(whole, { whole: [] }),
    table(fields, { whole: ['CHANGE', 'KIND', 'FIELD'] }, width),
  ].filter((each) => each !== '')
  return `${tables.join('\n')}Nothing was changed.\n`
}

/** @throws Refusal when the file can't be read */
async function readBytes(file: string, io: Io): Promise<Buffer> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of file === '-' ? io.stdin : createReadStream(file)) {
      chunks.push(Buffer.from(chunk))
    }
  } catch (error) {
    throw new OperatorError(`Can't read ${file}: ${describeFsError(error) ?? error}.`)
  }
  return Buffer.concat(chunks)
}

const grouped = (number: number) => number.toLocaleString('en-US')
