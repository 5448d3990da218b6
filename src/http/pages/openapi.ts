import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectRoot } from '../../projectRoot.ts'
import type { RoutePlugin } from '../fastify.ts'

/**
 * GET /openapi.json and /openapi.yaml: the contract, for tools and for people. Both files are made
 * from what the routes declare (`npm run openapi`); a test holds them to it.
 */
export const openapi: RoutePlugin = async (app) => {
  const [json, yaml] = await Promise.all(
    ['openapi.json', 'openapi.yaml'].map((name) => readFile(join(projectRoot, name), 'utf8')),
  )
  app.get('/openapi.json', (_request, reply) => reply.type('application/json').send(json))
  app.get('/openapi.yaml', (_request, reply) => reply.type('application/yaml').send(yaml))
}
