import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The directory of package.json, migrations and examples, for compiled code too. */
export const projectRoot = rootAbove(import.meta.dirname)

export const version: string = JSON.parse(
  readFileSync(join(projectRoot, 'package.json'), 'utf8'),
).version

function rootAbove(directory: string): string {
  if (existsSync(join(directory, 'package.json'))) return directory
  const parent = dirname(directory)
  if (parent === directory) throw new Error('The installation is incomplete: no package.json')
  return rootAbove(parent)
}
