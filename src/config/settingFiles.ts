import { readFileSync } from 'node:fs'
import { describeFsError } from './files.ts'

const secrets = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'REDIS_URL', 'SESSION_SECRETS']

/**
 * Returns the settings with the content of each `…_FILE` in place of its variable, and the problems
 * found, for the secrets among `names`. White space at the end of a file is removed.
 */
export function withSettingFiles(source: NodeJS.ProcessEnv, names: readonly string[]) {
  const values = { ...source }
  const problems: string[] = []
  for (const name of names.filter((each) => secrets.includes(each))) {
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
