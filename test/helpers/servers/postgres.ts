import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../../src/embedded/postgres.ts'
import type { TestServer } from './testServer.ts'

/**
 * Starts the embedded PostgreSQL on throw-away data, or takes the server that TEST_DATABASE_URL
 * names (a superuser's or CREATEDB user's URL). Throws EmbeddedPostgresError when it can't.
 */
export async function startTestPostgres(): Promise<TestServer> {
  const given = process.env['TEST_DATABASE_URL']
  if (given) return { url: given, stop: async () => {} }

  const directory = await mkdtemp(join(tmpdir(), 'rental-test-'))
  const remove = () => rm(directory, { recursive: true, force: true })
  try {
    // Our own new directory: when root runs the tests, PostgreSQL runs as somebody else.
    await chmod(directory, 0o711)
    const postgres = await startEmbeddedPostgres({
      directory,
      durable: false,
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
