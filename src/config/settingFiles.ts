import { readFileSync } from 'node:fs'
import { describeFsError } from './files.ts'
import { urlNames } from './serverUrls.ts'

const secret = [...urlNames, 'SESSION_SECRETS'] as const

/**
 * The settings with each `…_FILE` read: Docker and Kubernetes hand secrets over as files, which
 * neither `docker inspect` nor the environment of a child process shows. White space at the end of
 * a file doesn't count. An empty file is a problem: without the value another database would be used.
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
      if (value === '') problems.push(`${name}_FILE: ${path} is empty`)
      else values[name] = value
    } catch (error) {
      problems.push(`${name}_FILE: can't read ${path}: ${describeFsError(error) ?? error}`)
    }
  }
  return { values, problems }
}
