import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError, secretBytesMin } from './config.ts'
import { fileTrouble, hasCode, undefinedIfMissing } from './hasCode.ts'

const secretBytes = 32
const ownerOnly = 0o600

/**
 * The session secrets of the environment, or one of our own, made on the first start and kept in
 * DATA_DIR for the owner's eyes only. There is no default secret.
 * @throws ConfigError naming the file when it can't be read or written, or is too short
 */
export async function loadSessionSecrets(configured: readonly string[], dataDir: string) {
  if (configured.length > 0) return configured
  const path = join(dataDir, 'session-secret')
  try {
    const secret =
      (await undefinedIfMissing(readFile(path, 'utf8')))?.trim() ??
      (await makeSecret(dataDir, path))
    if (Buffer.byteLength(secret) >= secretBytesMin) return [secret]
  } catch (error) {
    const trouble = fileTrouble(error) ?? error
    throw new ConfigError(
      `The session secret in ${path} can't be used: ${trouble}. ` +
        'Mend that, or set SESSION_SECRETS, or DATA_DIR to another directory.',
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
  // Written elsewhere and linked into place: whoever finds it finds it whole, also after a crash,
  // and the first one stays.
  const half = `${path}.${randomUUID()}`
  const secret = randomBytes(secretBytes).toString('base64url')
  await writeFile(half, secret, { mode: ownerOnly, flush: true })
  await link(half, path).catch((error: unknown) => {
    if (!hasCode(error, 'EEXIST')) throw error
  })
  await rm(half)
  return readFile(path, 'utf8')
}
