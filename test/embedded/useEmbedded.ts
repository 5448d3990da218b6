import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach } from 'vitest'
import {
  type DatabaseSource,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../../src/embedded/postgres.ts'
import { readPostmasterPid } from '../../src/embedded/postmasterPid.ts'
import { hasty } from '../helpers/servers/postgres.ts'
import { remove, temporaryDirectory } from './installation.ts'

/** Provides embedded databases for the tests of one file, which are removed after each test. */
export function useEmbedded() {
  const cleanups: (() => Promise<unknown>)[] = []
  let former: string | undefined
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  })
  afterAll(async () => {
    if (former !== undefined) await remove(former)
  })
  async function directory(access: 'open' | 'closed' = 'open'): Promise<string> {
    const made = await temporaryDirectory(access)
    cleanups.push(() => remove(made))
    return made
  }
  return {
    directory,
    /** Returns a copy of an initialized database directory, which is faster than initializing one. */
    async usedDirectory(): Promise<string> {
      if (former === undefined) {
        former = await temporaryDirectory('open')
        await (await startEmbeddedPostgres({ directory: former })).stop()
      }
      const made = await directory()
      await promisify(execFile)('cp', ['-a', join(former, 'postgres'), made])
      return made
    },
    async start(
      at: string,
      options: Partial<EmbeddedPostgresOptions> = {},
    ): Promise<DatabaseSource> {
      const postgres = await startEmbeddedPostgres({ directory: at, settings: hasty, ...options })
      cleanups.push(() => postgres.stop())
      return postgres
    },
  }
}

export async function serverPid(directory: string): Promise<number> {
  const found = await readPostmasterPid(join(directory, 'postgres'))
  if (!found) throw new Error(`No server runs in ${directory}`)
  return found.pid
}
