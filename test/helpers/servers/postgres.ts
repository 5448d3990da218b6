import { chown, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../../src/embedded/postgres.ts'
import { unprivilegedUser } from '../../../src/embedded/runAsUser.ts'
import { runStatements } from '../maintenance.ts'
import type { TestServer } from './testServer.ts'

/** Settings that trade crash safety for speed. */
export const hasty = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

const inMemory = '/dev/shm'
/** Several times the size of the data during a run. */
const enoughBytes = 2 * 1024 ** 3

/**
 * Returns the parent directory for data: in memory if there is room. On ext4, creating and dropping
 * databases spends much processor time on the search for free inodes.
 */
async function parentForData(): Promise<string> {
  const memory = await statfs(inMemory).catch(() => undefined)
  // statfs reports the limit of the file system, not the available memory.
  const bytes = memory && Math.min(memory.bavail * memory.bsize, process.availableMemory())
  return bytes && bytes >= enoughBytes ? inMemory : tmpdir()
}

async function reachable(url: string): Promise<TestServer> {
  try {
    await runStatements(url, 'SELECT 1')
  } catch (error) {
    throw new Error(
      'Cannot connect to TEST_DATABASE_URL: start PostgreSQL there, or unset the variable.',
      {
        cause: error,
      },
    )
  }
  return { url, stop: async () => {} }
}

/**
 * Starts the embedded PostgreSQL on temporary data, or uses the server of TEST_DATABASE_URL, whose
 * user must be a superuser or have CREATEDB.
 * @throws EmbeddedPostgresError if the server does not start
 */
export async function startTestPostgres(): Promise<TestServer> {
  const given = process.env['TEST_DATABASE_URL']
  if (given) return reachable(given)

  const directory = await mkdtemp(join(await parentForData(), 'rental-test-'))
  const remove = () => rm(directory, { recursive: true, force: true })
  try {
    // If root runs the tests, PostgreSQL and its clean-up run as an unprivileged user.
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
