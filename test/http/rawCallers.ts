import { beforeAll } from 'vitest'
import { generateApiKey } from '../../src/auth/apiKeys.ts'
import { useTestApp } from '../helpers/app.ts'
import { exchange, type RawAnswer } from '../helpers/rawHttp.ts'
import { aKey, aTenant } from '../helpers/seed.ts'

/** Of what comes back, however busy the machine is. */
export const patienceMs = 30_000

/** Two servers with one key, and requests as bytes. `patient` cuts nobody off while a test runs. */
export function useRawCallers() {
  const key = generateApiKey()
  const server = useTestApp({ HEADERS_TIMEOUT_SECONDS: '1', REQUEST_TIMEOUT_SECONDS: '2' })
  const patient = useTestApp({ HEADERS_TIMEOUT_SECONDS: '300', REQUEST_TIMEOUT_SECONDS: '600' })
  beforeAll(async () => {
    for (const { deps } of [server, patient]) {
      const tenantId = await aTenant(deps.database)
      await aKey(deps.database, tenantId, { key, origins: ['https://a.example'] })
    }
  })
  const head = (line: string, ...headers: string[]) =>
    `${[line, 'Host: x', `X-Api-Key: ${key}`, ...headers].join('\r\n')}\r\n\r\n`
  const get = (...headers: string[]) => head('GET /api/v1/asset-groups HTTP/1.1', ...headers)

  /** The only answer; resolves when the server has closed the connection. */
  async function cutOff(bytes: string, app = server): Promise<RawAnswer> {
    const [answer, ...others] = await exchange(app, bytes)
    if (answer === undefined || others.length > 0) throw new Error('There was not one answer.')
    return answer
  }
  return { key, server, patient, head, get, cutOff }
}
