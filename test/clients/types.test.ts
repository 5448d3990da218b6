import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { generateTypes } from '../../openapi/generateTypes.ts'

const document = join(import.meta.dirname, '../../openapi.yaml')

describe('client types', () => {
  it('the client types match openapi.yaml (update with `npm run openapi`)', async () => {
    const types = generateTypes(parse(await readFile(document, 'utf8')))
    await expect(types).toMatchFileSnapshot('../../clients/typescript/types.ts')
  })
})
