import { beforeAll } from 'vitest'
import { generateApiKey } from '../../../src/auth/keyFormat.ts'
import { useTestApp } from '../../helpers/app.ts'
import { aKey, aTenant } from '../../helpers/seed.ts'

/** The time limit for a response, long enough for a busy machine. */
export const patienceMs = 30_000

/** Provides a server with short timeouts, a key, and raw requests. */
export function useRawClients() {
  const key = generateApiKey()
  const server = useTestApp({ HEADERS_TIMEOUT_SECONDS: '1', REQUEST_TIMEOUT_SECONDS: '2' })
  beforeAll(async () => {
    const { database } = server.deps
    await aKey(database, await aTenant(database), { key, origins: ['https://a.example'] })
  })
  const head = (line: string, ...headers: string[]) =>
    `${[line, 'Host: x', `X-Api-Key: ${key}`, ...headers].join('\r\n')}\r\n\r\n`
  const get = (...headers: string[]) => head('GET /api/v1/asset-groups HTTP/1.1', ...headers)

  return { key, server, head, get }
}
