import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'

/** PostgreSQL itself knows last that its server is draining; beside its data, this file says so. */
const stopMark = (dataDirectory: string) => `${dataDirectory}.stopping`

/** Says that the server of a data directory is about to end, for whoever starts there meanwhile. */
export function markStopping(dataDirectory: string): Promise<void> {
  return writeFile(stopMark(dataDirectory), '')
}

export function isMarkedStopping(dataDirectory: string): boolean {
  return existsSync(stopMark(dataDirectory))
}

/** To be called when it has ended, and before another one begins. */
export function unmarkStopping(dataDirectory: string): Promise<void> {
  return rm(stopMark(dataDirectory), { force: true })
}
