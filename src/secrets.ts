import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const secretBytes = 32
const ownerOnly = 0o600

/**
 * The session secrets of the environment, or one of our own, made on the first start and kept in
 * DATA_DIR for the owner's eyes only. There is no default secret.
 */
export async function loadSessionSecrets(
  configured: readonly string[],
  dataDir: string,
): Promise<readonly string[]> {
  if (configured.length > 0) return configured
  const path = join(dataDir, 'session-secret')
  await mkdir(dataDir, { recursive: true })
  const fresh = randomBytes(secretBytes).toString('base64url')
  try {
    await writeFile(path, fresh, { mode: ownerOnly, flag: 'wx' })
    return [fresh]
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    return [(await readFile(path, 'utf8')).trim()]
  }
}
