import { userInfo } from 'node:os'

/** Who types the command, for the record. Containers may run as a user without a name. */
export function operatorName(environment: NodeJS.ProcessEnv): string {
  try {
    return userInfo().username
  } catch {
    return environment['USER'] ?? `user ${process.getuid?.() ?? 'unknown'}`
  }
}
