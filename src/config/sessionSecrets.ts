import { randomBytes } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError, secretBytesMin } from './environment.ts'
import { describeFsError, ownerOnly, undefinedIfMissing, writeFileAtomic } from './files.ts'

/**
 * Returns the configured session secrets, or a secret that is generated on the first start and
 * stored in `dataDir`.
 * @throws ConfigError naming the file when it cannot be read or written, or is too short
 */
export async function loadSessionSecrets(configured: readonly string[], dataDir: string) {
  if (configured.length > 0) return configured
  const path = join(dataDir, 'session-secret')
  try {
    const stored = await undefinedIfMissing(readFile(path, 'utf8'))
    const secret = stored?.trim() ?? (await makeSecret(dataDir, path))
    if (Buffer.byteLength(secret) >= secretBytesMin) return [secret]
  } catch (error) {
    const problem = describeFsError(error) ?? error
    throw new ConfigError(
      `The session secret in ${path} can't be used: ${problem}. ` +
        'Fix that, or set SESSION_SECRETS, or DATA_DIR to another directory.',
      { cause: error },
    )
  }
  throw new ConfigError(
    `The session secret in ${path} is shorter than ${secretBytesMin} bytes. ` +
      'Delete the file to have a new one generated; all sessions then end.',
  )
}

async function makeSecret(dataDir: string, path: string): Promise<string> {
  await mkdir(dataDir, { recursive: true })
  const secret = randomBytes(secretBytesMin).toString('base64url')
  // If several processes start at once, all use the first one's secret.
  await writeFileAtomic(path, secret, { mode: ownerOnly, ifMissing: true })
  return readFile(path, 'utf8')
}
