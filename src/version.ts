import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './projectRoot.ts'

/** The release that is running, as package.json names it. */
export const version: string = JSON.parse(
  readFileSync(join(projectRoot, 'package.json'), 'utf8'),
).version
