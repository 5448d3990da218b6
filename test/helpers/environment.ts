import { ConfigError, parseConfig } from '../../src/config/environment.ts'

/** Returns the error message for an invalid environment; empty if it is valid. */
export function problemsOf(environment: Record<string, string>): string {
  try {
    parseConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return ''
}
