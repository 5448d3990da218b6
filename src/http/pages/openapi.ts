import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectRoot } from '../../projectRoot.ts'
import type { RoutePlugin } from '../fastify.ts'
import { serveKept, untilAsked } from './kept.ts'

const files = [
  ['openapi.json', 'application/json; charset=utf-8'],
  ['openapi.yaml', 'application/yaml'],
  ['arazzo.yaml', 'application/yaml'],
  ['llms.txt', 'text/plain; charset=utf-8'],
] as const

/**
 * GET /openapi.json and /openapi.yaml: the contract, for tools and for people; /arazzo.yaml: a booking
 * in steps; /llms.txt, for programs that read and write. The files are made from what the routes declare and from the
 * documents (`npm run openapi`); tests hold them to it.
 */
export const openapi: RoutePlugin = async (app) => {
  for (const [name, type] of files) {
    const text = await readFile(join(projectRoot, name), 'utf8')
    serveKept(app, `/${name}`, { type, text, caching: untilAsked })
  }
}
