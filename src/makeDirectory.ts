import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a directory and those above it, where they are missing. Node's own `recursive` tries for
 * ever where the file system takes no directory, as /proc does.
 */
export async function makeDirectory(path: string): Promise<void> {
  const above = dirname(path)
  if (!existsSync(above)) await makeDirectory(above)
  await mkdir(path).catch((error: unknown) => {
    // `path/.` exists only for a directory.
    if (!existsSync(`${path}/.`)) throw error
  })
}
