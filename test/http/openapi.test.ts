import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { useTestApp } from '../helpers/app.ts'

const server = useTestApp()

describe('the OpenAPI document', () => {
  it('is what the routes declare; `npm run openapi` writes it anew', async () => {
    const { body } = await server.http.get('/openapi.json')
    const yaml = stringify(body, { lineWidth: 100, aliasDuplicateObjects: false })
    await expect(yaml).toMatchFileSnapshot('../../openapi.yaml')
  })
})
