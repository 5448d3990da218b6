import { readFileSync } from 'node:fs'
import { describeFsError } from './files.ts'
import { urlNames } from './serverUrls.ts'

const secret = [...urlNames, 'SESSION_SECRETS'] as const

/**
 * Returns the settings with the content of each `…_FILE` in place of its variable, and the problems
 * found. White space at the end of a file is removed.
 */
export function withSettingFiles(source: NodeJS.ProcessEnv) {
  const values = { ...source }
  const problems: string[] = []
  for (const name of secret) {
    const path = values[`${name}_FILE`]
    if (path === undefined) continue
    if (values[name] !== undefined) {
      problems.push(`${name}_FILE: give either this or ${name}, not both`)
      continue
    }
    try {
      const value = readFileSync(path, 'utf8').trimEnd()
      // Report an empty file: without DATABASE_URL the embedded database would be used.
      if (value === '') problems.push(`${name}_FILE: ${path} is empty`)
      else values[name] = value
    } catch (error) {
      problems.push(`${name}_FILE: can't read ${path}: ${describeFsError(error) ?? error}`)
    }
  }
  return { values, problems }
}
