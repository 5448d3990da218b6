import { afterAll, beforeAll } from 'vitest'
import { useWorld, type World } from '../faults/world.ts'
import { freePort } from '../helpers/freePort.ts'
import { type RunningProxy, startProxy } from '../helpers/servers/proxy.ts'
import { waitFor } from '../helpers/waitFor.ts'

/** Two replicas that trust only the proxy of docker-compose.yml in front of them. */
export interface ProxiedWorld {
  readonly world: World
  readonly proxy: RunningProxy
  /** Starts a new process in place of an ended one, at the same address. */
  restart(index: number): Promise<void>
  /** Returns the index of the replica that logged the request with this ID. */
  servedBy(requestId: string | null): Promise<number>
}

/** Starts replicas and proxy for the tests of one file. The returned object is filled in `beforeAll`. */
export function useProxiedWorld(
  env: Readonly<Record<string, string>> = {},
  proxyEnv: Readonly<Record<string, string>> = {},
): ProxiedWorld {
  const world = useWorld({ replicas: 0, proxied: false, env: { TRUST_PROXY: '127.0.0.1', ...env } })
  const proxied = { world } as { -readonly [Field in keyof ProxiedWorld]: ProxiedWorld[Field] }
  // Fixed ports, so that a restarted replica has the same address.
  const ports: string[] = []
  beforeAll(async () => {
    const [first, second] = [await freePort(), await freePort()]
    ports.push(`${first}`, `${second}`)
    const starting = ports.map((PORT) => world.startReplica({ env: { PORT } }))
    world.replicas.push(...(await Promise.all(starting)))
    proxied.proxy = await startProxy([`127.0.0.1:${first}`, `127.0.0.1:${second}`], proxyEnv)
    await waitFor(async () => (await proxied.proxy.serving()).length === 2)
  })
  afterAll(async () => proxied.proxy?.stop())
  proxied.restart = (index) => world.replace(index, { env: { PORT: ports[index] ?? '' } })
  proxied.servedBy = async (requestId) => {
    if (requestId === null) throw new Error('Not answered by a replica')
    const index = () =>
      world.replicas.findIndex((replica) => replica.lines().join('\n').includes(requestId))
    await waitFor(() => index() >= 0)
    return index()
  }
  return proxied
}
