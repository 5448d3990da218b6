import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectRoot } from '../../config/projectRoot.ts'
import { fleetSchema } from '../../fleet/fleetSchema.ts'
import { type Context, command } from '../command.ts'

const template = join(projectRoot, 'examples/fleet.csv')

export const fleetTemplate = ({ io, rejectJson }: Context) =>
  command('template', 'Print an example spreadsheet to fill in.', [
    'rental fleet template > fleet.csv',
  ]).action(async () => {
    rejectJson()
    io.writeOut(`\uFEFF${await readFile(template, 'utf8')}`)
  })

export const fleetSchemaCommand = ({ finish }: Context) =>
  command('schema', 'Print the JSON Schema of the fleet file, for editors.', [
    'rental fleet schema > fleet.schema.json',
  ]).action(() => finish({ json: fleetSchema() }))
