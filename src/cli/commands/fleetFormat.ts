import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Option } from '@commander-js/extra-typings'
import { projectRoot } from '../../config/projectRoot.ts'
import { fleetSchema } from '../../fleet/fleetSchema.ts'
import { parseFleetFile } from '../../fleet/parseFleetFile.ts'
import { type Context, command } from '../command.ts'
import { outputMeaning, writeWorkbookTo } from '../outputFile.ts'

const templates = { en: 'template-fleet.json', de: 'template-fleet-de.json' } as const

export const fleetTemplate = (context: Context) =>
  command('template', 'Write an example workbook (.xlsx) to fill in.', [
    'rental fleet template --output fleet.xlsx',
    'rental fleet template --language de --output flotte.xlsx',
  ])
    .option('--output <file>', outputMeaning)
    .addOption(
      new Option('--language <tag>', 'of the names in it')
        .choices(['en', 'de'] as const)
        .default('en' as const),
    )
    .action(({ output, language }) =>
      writeWorkbookTo(context, output, async () => {
        const file = join(projectRoot, 'examples', templates[language])
        return { file: parseFleetFile(await readFile(file, 'utf8')) }
      }),
    )

export const fleetSchemaCommand = ({ finish }: Context) =>
  command('schema', 'Print the JSON Schema of the fleet file, for editors.', [
    'rental fleet schema > fleet.schema.json',
  ]).action(() => finish({ json: fleetSchema() }))
