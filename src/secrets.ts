import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from './hasCode.ts'

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
  return [(await readIfThere(path)) ?? (await makeSecret(dataDir, path))]
}

async function makeSecret(dataDir: string, path: string): Promise<string> {
  await mkdir(dataDir, { recursive: true })
  // Written elsewhere and linked into place: whoever finds it finds it whole, and the first one
  // stays.
  const half = `${path}.${randomUUID()}`
  await writeFile(half, randomBytes(secretBytes).toString('base64url'), { mode: ownerOnly })
  await link(half, path).catch((error: unknown) => {
    if (!hasCode(error, 'EEXIST')) throw error
  })
  await rm(half)
  return readFile(path, 'utf8')
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}
