import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { generateTypes } from './generateTypes.ts'

const document = join(import.meta.dirname, '../../openapi.yaml')

describe("the client's types", () => {
  it('are those of the OpenAPI document; `npm run openapi` writes them anew', async () => {
    const types = generateTypes(parse(await readFile(document, 'utf8')))
    await expect(types).toMatchFileSnapshot('../../clients/typescript/types.ts')
  })
})
