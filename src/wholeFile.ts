import { randomUUID } from 'node:crypto'
import { chmod, link, rename, rm, writeFile } from 'node:fs/promises'
import { hasCode } from './hasCode.ts'

/**
 * Writes a file elsewhere and moves it into place: whoever finds it finds it whole, also after a
 * crash. It takes the place of another, or with `ifMissing` leaves the one that is there.
 */
export async function writeWhole(
  path: string,
  text: string,
  { mode, ifMissing = false }: { readonly mode: number; readonly ifMissing?: boolean },
): Promise<void> {
  const half = `${path}.${randomUUID()}`
  try {
    await writeFile(half, text, { mode, flush: true })
    // Whatever the umask takes away.
    await chmod(half, mode)
    await (ifMissing ? link : rename)(half, path)
  } catch (error) {
    if (!ifMissing || !hasCode(error, 'EEXIST')) throw error
  } finally {
    await rm(half, { force: true })
  }
}
