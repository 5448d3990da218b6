import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { describeFsError } from '../../config/files.ts'
import type { Database } from '../../db/connection/database.ts'
import { pluralize } from '../../domain/pluralize.ts'
import { decodeJson, isWorkbook } from '../../fleet/fileFormat.ts'
import type { FleetFile } from '../../fleet/fleetFile.ts'
import type { FleetChange } from '../../fleet/listChanges.ts'
import { parseFleetFile } from '../../fleet/parseFleetFile.ts'
import { type FleetSource, importFleet } from '../../services/importFleet.ts'
import { OperatorError, UsageError } from '../../services/operatorError.ts'
import { workbookSource } from '../../services/workbookSource.ts'
import { type Context, command, type Io } from '../command.ts'
import { inOneLine, sanitizeLine } from '../terminal/cell.ts'
import { table, warningLines } from '../terminal/table.ts'

export const fleetImport = ({ io, now, withDatabase, finish }: Context) =>
  command('import', 'Create or update one tenant from a fleet file: JSON, or a workbook (.xlsx).', [
    'rental fleet import examples/small-fleet.json',
    'rental fleet import fleet.xlsx --tenant fjord-cars --dry-run',
    'rental fleet import - --json < fleet.json',
  ])
    .argument('<file>', 'path of the file, or - for standard input')
    .option(
      '--tenant <slug>',
      'with a workbook: slug of the tenant, which is created if it is new; may be left out while there is only one',
    )
    .option('--dry-run', 'list what would be created, changed and archived, and change nothing')
    .option('--yes', 'do what the import would ask about')
    .action(async (file, options) => {
      const { yes = false, dryRun = false } = options
      const fleetOf = await readFleet(file, io, options.tenant)
      const load = (confirmed: boolean) =>
        withDatabase(async (database) =>
          importFleet(database, await fleetOf(database), { confirmed, dryRun, now }),
        )
      let result = await load(yes)
      if (result.changes !== undefined && !dryRun) {
        const question = result.questions.map(sanitizeLine).join(' ')
        if (result.isOutdated) io.writeError(changeTable(result.changes, io.columns))
        if (!(await io.ask?.(`${question} Import it nevertheless?`))) {
          throw new OperatorError(
            `${question} Nothing was changed. To import it nevertheless, run the command again with --yes.`,
          )
        }
        result = await load(true)
      }
      finish(outcomeOf(result, dryRun, io.columns))
    })

type Imported = Awaited<ReturnType<typeof importFleet>>

function outcomeOf(result: Imported, dryRun: boolean, columns: number | undefined) {
  const {
    changes,
    questions,
    warnings,
    stranded,
    tenantCreated,
    isOutdated: _,
    ...imported
  } = result
  const notes = { tenantCreated, stranded, warnings }
  const { slug, assetGroups, extras, created, updated, archived } = imported
  if (changes !== undefined) {
    const needsYes = questions.length > 0
    const counts = { created, updated, archived }
    const json = { slug, dryRun, ...counts, needsYes, questions, ...notes, changes }
    const asked = questions.map((each) => `${sanitizeLine(each)}\n`).join('')
    const advice = needsYes ? 'The import will require --yes.\n' : ''
    const text = changeTable(changes, columns) + warningLines(warnings) + asked + advice
    return { json, text }
  }
  const vehicles = assetGroups.reduce((sum, { assets }) => sum + assets.length, 0)
  const text =
    `${slug}: ${pluralize(assetGroups.length, 'group')}, ${pluralize(vehicles, 'vehicle')}, ` +
    `${pluralize(extras.length, 'extra')}.\n` +
    `Created ${created}, updated ${updated}, archived ${archived}.\n`
  return { json: { ...imported, ...notes }, text: text + warningLines(warnings) }
}

/**
 * Reads a JSON file or a workbook. Returns a function that takes the database, because a workbook
 * keeps what it has no column for.
 */
async function readFleet(
  file: string,
  io: Io,
  tenant: string | undefined,
): Promise<(database: Database) => FleetFile | Promise<FleetSource>> {
  const bytes = await readBytes(file, io)
  if (isWorkbook(bytes)) return (database) => workbookSource(database, bytes, tenant)
  const text = decodeJson(bytes)
  if (tenant !== undefined) {
    throw new UsageError(
      '--tenant cannot be used with a JSON file. Set "slug" in the "tenant" object of the file.',
    )
  }
  const fleet = parseFleetFile(text)
  return () => fleet
}

function changeTable(changes: readonly FleetChange[], width: number | undefined): string {
  if (changes.length === 0) return 'Nothing would change.\n'
  const fixed = []
  const fields = []
  const hasDetails = changes.some(({ field, to }) => field === null && to !== null)
  for (const { change, kind, name, field, from, to } of changes) {
    const row = { CHANGE: change, KIND: kind, NAME: name }
    const details = Object.entries(to ?? {}).map(([title, value]) => `${title} ${value}`)
    if (field === null) fixed.push({ ...row, ...(hasDetails && { DETAILS: details.join(', ') }) })
    else fields.push({ ...row, FIELD: field, FROM: inOneLine(from), TO: inOneLine(to) })
  }
  // Do not limit the width of the first table: a block's name contains its dates.
  const tables = [
    table(fixed, { fixed: [] }),
    table(fields, { fixed: ['CHANGE', 'KIND', 'FIELD'] }, width),
  ].filter((each) => each !== '')
  return `${tables.join('\n')}Nothing was changed.\n`
}

/** @throws OperatorError when the file can't be read */
async function readBytes(file: string, io: Io): Promise<Buffer> {
  return (file === '-' ? buffer(io.stdin) : readFile(file)).catch((error: unknown) => {
    throw new OperatorError(`Can't read ${file}: ${describeFsError(error) ?? error}.`)
  })
}
