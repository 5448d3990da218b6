import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'

/** Returns the path of the first installed program; undefined if there is none. */
export function programOnPath(...names: readonly string[]): string | undefined {
  const directories = (process.env['PATH'] ?? '').split(delimiter)
  return directories
    .flatMap((directory) => names.map((name) => join(directory, name)))
    .find((path) => existsSync(path))
}
