import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { projectRoot } from '../../projectRoot.ts'
import type { Operation } from '../fastify.ts'
import { openApiDocument } from '../openapi/document.ts'

/** GET /openapi.json and /openapi.yaml: the contract, for tools and for people. */
export async function serveOpenApi(
  app: FastifyInstance,
  operations: readonly Operation[],
): Promise<void> {
  const json = JSON.stringify(openApiDocument(operations))
  const yaml = await readFile(join(projectRoot, 'openapi.yaml'), 'utf8')
  app.get('/openapi.json', (_request, reply) => reply.type('application/json').send(json))
  app.get('/openapi.yaml', (_request, reply) => reply.type('application/yaml').send(yaml))
}
