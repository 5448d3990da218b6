import { ConfigError, parseConfig } from '../../src/config/environment.ts'

/** What is told about an environment that is refused; empty where it is fine. */
export function problemsOf(environment: Record<string, string>): string {
  try {
    parseConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return ''
}
