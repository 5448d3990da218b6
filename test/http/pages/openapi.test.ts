import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { outputSchemas } from '../../../openapi/cli/outputs.ts'
import { openApiDocument } from '../../../openapi/document.ts'
import { guidePage, llmsText, withErrors } from '../../../openapi/guide.ts'
import { fleetSchema } from '../../../src/fleet/fleetSchema.ts'
import { operations } from '../../../src/http/routes/index.ts'
import { useTestApp } from '../../helpers/app.ts'

const root = join(import.meta.dirname, '../../..')
const server = useTestApp()

it('matches public/fleet.schema.json with the schema of the import', async () => {
  const schema = `${JSON.stringify(fleetSchema(), null, 2)}\n`
  await expect(schema).toMatchFileSnapshot('../../../public/fleet.schema.json')
})

it('matches public/cli.schema.json with the outputs that the commands declare', async () => {
  const schemas = outputSchemas({ strict: false })
  const file = '../../../public/cli.schema.json'
  await expect(`${JSON.stringify(schemas, null, 2)}\n`).toMatchFileSnapshot(file)
})

interface Described {
  readonly description?: string
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Described>>
}

describe('OpenAPI document', () => {
  it('matches the declared routes (update with `npm run openapi`)', async () => {
    const document = openApiDocument(operations)
    // Quotes date-times, which readers of YAML 1.1, such as PyYAML, take for dates.
    const format = { lineWidth: 130, aliasDuplicateObjects: false, compat: 'yaml-1.1' } as const
    const yaml = stringify(document, format)
    await expect(yaml).toMatchFileSnapshot('../../../openapi.yaml')
    await expect(`${JSON.stringify(document)}\n`).toMatchFileSnapshot(
      '../../../public/openapi.json',
    )
  })

  it('describes every field', async () => {
    const { components } = (await server.app.inject('/openapi.json')).json()
    const schemas: Record<string, Described> = components.schemas
    const fields = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties).map(([field, schema]) => [`${name}.${field}`, schema] as const),
    )
    const missing = fields.filter(([path, { description, $ref = '' }]) => {
      const referred = schemas[$ref.replace(/.*\//, '')]
      return !/\w/.test(description ?? referred?.description ?? '') && !path.endsWith('.data')
    })
    expect(missing.map(([path]) => path)).toEqual([])
  })

  it('matches the published guide and llms.txt', async () => {
    const guide = withErrors(await readFile(join(root, 'docs/integrate.md'), 'utf8'))
    const document = await server.app.inject('/openapi.json')
    await expect(guide).toMatchFileSnapshot('../../../docs/integrate.md')
    const contract = await readFile(join(root, 'docs/contract.md'), 'utf8')
    const widget = await readFile(join(root, 'clients/widget/README.md'), 'utf8')
    const pages = { integrate: guide, contract, widget }
    for (const [name, text] of Object.entries(pages)) {
      const page = guidePage(text, `/docs/${name}`)
      await expect(page).toMatchFileSnapshot(`../../../public/${name}.html`)
    }
    await expect(llmsText(document.json(), guide)).toMatchFileSnapshot('../../../public/llms.txt')
  })

  it('serves the same document as JSON and as YAML', async () => {
    const json = await server.http.get('/openapi.json').expect('content-type', /^application\/json/)
    const yaml = await server.http.get('/openapi.yaml').expect('content-type', /^application\/yaml/)
    expect(parse(yaml.text ?? yaml.body.toString())).toEqual(json.body)
    expect(json.body.paths).toHaveProperty(['/bookings', 'post'])
  })
})
