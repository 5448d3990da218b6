import { describe, expect, it } from 'vitest'
import { outputSchemas } from '../../openapi/cli/outputs.ts'
import { leavesOf, nameOf } from '../../src/cli/terminal/help.ts'
import { checkCliDocument, program } from '../helpers/cliDocuments.ts'

describe('the declared output of a command', () => {
  it('exists for every command that accepts --json', () => {
    const { $defs } = outputSchemas({ strict: true })
    const names = leavesOf(program()).map(nameOf)
    // `fleet template` writes a file that is not JSON.
    expect([...Object.keys($defs), 'fleet template'].toSorted()).toEqual(names.toSorted())
  })

  it('rejects a document with an unknown or a missing field', () => {
    const check = (document: object) => () =>
      checkCliDocument(['transfer', '--json'], JSON.stringify(document))
    expect(check({ tables: [{ name: 'rates', rows: 1 }] })).not.toThrow()
    expect(check({ tables: [{ name: 'rates', rows: 1, bytes: 8 }] })).toThrow(
      'additional properties',
    )
    expect(check({ tables: [{ name: 'rates' }] })).toThrow("required property 'rows'")
  })

  it('requires every field of a rate in an exported fleet', () => {
    const { $defs } = outputSchemas({ strict: true })
    const { required } = JSON.parse(JSON.stringify($defs['fleet export'])).properties.assetGroups
      .items.properties.rates.items
    expect(required).toEqual(expect.arrayContaining(['dailyRate', 'monthlyRate', 'validTo']))
  })
})
