import { chown, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../../src/embedded/postgres.ts'
import { unprivilegedUser } from '../../../src/embedded/runAsUser.ts'
import { runStatements } from '../maintenance.ts'
import type { TestServer } from './testServer.ts'

/** Safety from crashes given up for speed. */
export const hasty = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

const inMemory = '/dev/shm'
/** A whole run has had a third of a gigabyte at a time. */
const enoughBytes = 2 * 1024 ** 3

/**
 * Where files are made and removed by the thousand: in memory, where there is room. On a disk's ext4,
 * looking for a free inode among those of databases just dropped took an eighth of the run's processor time.
 */
async function placeForData(): Promise<string> {
  const memory = await statfs(inMemory).catch(() => undefined)
  // The file system says how much it may take, not how much there is.
  const bytes = memory && Math.min(memory.bavail * memory.bsize, process.availableMemory())
  return bytes && bytes >= enoughBytes ? inMemory : tmpdir()
}

async function reachable(url: string): Promise<TestServer> {
  try {
    await runStatements(url, 'SELECT 1')
  } catch (error) {
    throw new Error(
      'No PostgreSQL answers at TEST_DATABASE_URL: start it, or unset the variable.',
      {
        cause: error,
      },
    )
  }
  return { url, stop: async () => {} }
}

/**
 * Starts the embedded PostgreSQL on throw-away data, or takes the server that TEST_DATABASE_URL
 * names (a superuser's or CREATEDB user's URL). Throws EmbeddedPostgresError when it can't.
 */
export async function startTestPostgres(): Promise<TestServer> {
  const given = process.env['TEST_DATABASE_URL']
  if (given) return reachable(given)

  const directory = await mkdtemp(join(await placeForData(), 'rental-test-'))
  const remove = () => rm(directory, { recursive: true, force: true })
  try {
    // When root runs the tests, PostgreSQL and what cleans up after it run as nobody.
    if (process.getuid?.() === 0) await chown(directory, unprivilegedUser.uid, unprivilegedUser.gid)
    const postgres = await startEmbeddedPostgres({
      directory,
      settings: { ...hasty, max_connections: 200 },
      removeOnExit: [directory],
    })
    const stop = async () => {
      await postgres.stop()
      await remove()
    }
    return { url: postgres.url, stop }
  } catch (error) {
    await remove()
    throw error
  }
}
