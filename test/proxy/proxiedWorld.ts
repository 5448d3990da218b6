import { afterAll, beforeAll } from 'vitest'
import { useWorld, type World } from '../faults/world.ts'
import { type RunningProxy, startProxy } from '../helpers/servers/proxy.ts'
import { waitFor } from '../helpers/waitFor.ts'

/** Two replicas behind the proxy of docker-compose.yml, and nobody else trusted by them. */
export interface ProxiedWorld {
  readonly world: World
  readonly proxy: RunningProxy
  /** Puts a new process in the place of an ended one, at the same address. */
  restart(index: number): Promise<void>
  /** Which replica answered the request with this id: it has logged it. */
  answeredBy(requestId: string | null): Promise<number>
}

const patienceMs = 20_000

/** Starts both for the tests of one file; the returned object is filled before they run. */
export function useProxiedWorld(
  env: Readonly<Record<string, string>> = {},
  proxyEnv: Readonly<Record<string, string>> = {},
): ProxiedWorld {
  const world = useWorld({ proxied: false, env: { TRUST_PROXY: '127.0.0.1', ...env } })
  const proxied = { world } as { -readonly [Field in keyof ProxiedWorld]: ProxiedWorld[Field] }
  let addresses: readonly string[] = []
  beforeAll(async () => {
    addresses = world.replicas.map(({ url }) => new URL(url).host)
    const [first = '', second = ''] = addresses
    proxied.proxy = await startProxy([first, second], proxyEnv)
    await waitFor(async () => (await proxied.proxy.serving()).length === 2, patienceMs)
  })
  afterAll(() => proxied.proxy.stop())
  proxied.restart = (index) =>
    world.replace(index, { env: { PORT: addresses[index]?.split(':')[1] ?? '' } })
  proxied.answeredBy = async (requestId) => {
    if (requestId === null) throw new Error('Not answered by a replica')
    const index = () =>
      world.replicas.findIndex((replica) => replica.lines().join('\n').includes(requestId))
    await waitFor(() => index() >= 0, patienceMs)
    return index()
  }
  return proxied
}
