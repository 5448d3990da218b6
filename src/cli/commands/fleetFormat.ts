import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectRoot } from '../../config/projectRoot.ts'
import { fleetSchema } from '../../fleet/fleetSchema.ts'
import { parseFleetFile } from '../../fleet/parseFleetFile.ts'
import { writeWorkbook } from '../../fleet/workbook/writeWorkbook.ts'
import { type Context, command } from '../command.ts'
import { fleetSchemaOutput } from '../output/fleet.ts'
import { outputMeaning, writeWorkbookTo } from '../outputFile.ts'

const templateFile = join(projectRoot, 'examples/template-fleet.json')

export const fleetTemplate = (context: Context) =>
  command(
    'template',
    'Write an example workbook (.xlsx) to fill in.',
    ['rental fleet template --output fleet.xlsx'],
    undefined,
  )
    .option('--output <file>', outputMeaning)
    .action(({ output }) =>
      writeWorkbookTo(context, output, async () =>
        writeWorkbook(parseFleetFile(await readFile(templateFile, 'utf8'))),
      ),
    )

export const fleetSchemaCommand = ({ finish }: Context) =>
  command(
    'schema',
    'Print the JSON Schema of the fleet file, for editors.',
    ['rental fleet schema > fleet.schema.json'],
    fleetSchemaOutput,
  ).action(() => finish({ json: fleetSchema() }))
