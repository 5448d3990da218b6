import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { startSupervised } from '../../../src/embedded/supervisedProcess.ts'
import { freePort } from '../freePort.ts'
import { waitFor } from '../waitFor.ts'
import { findRedis } from './findRedis.ts'
import type { TestServer } from './testServer.ts'

const mastersCount = 3
const slotsCount = 16_384
const startTimeoutMs = 60_000

/** A Redis Cluster with a connection to each of its masters. */
export interface RedisCluster extends TestServer {
  readonly masters: readonly Redis[]
}

async function startNode(directory: string): Promise<{ port: number; stop(): Promise<void> }> {
  const { command, env } = await findRedis()
  const port = await freePort()
  const name = `${port}`
  const server = startSupervised({
    command,
    args: [
      '--port',
      name,
      '--bind',
      '127.0.0.1',
      '--dir',
      directory,
      '--save',
      '',
      '--cluster-enabled',
      'yes',
      '--cluster-config-file',
      `nodes-${name}.conf`,
      '--cluster-node-timeout',
      '2000',
      '--appendonly',
      'no',
    ],
    env,
  })
  await server.line(/ready to accept connections/i, startTimeoutMs)
  return { port, stop: () => server.stop() }
}

/** Starts three masters that share the hash slots; resolves when each reports a healthy cluster. */
export async function startRedisCluster(): Promise<RedisCluster> {
  const directory = await mkdtemp(join(tmpdir(), 'rental-cluster-'))
  const nodes: Awaited<ReturnType<typeof startNode>>[] = []
  for (let n = 0; n < mastersCount; n++) nodes.push(await startNode(directory))
  const masters = nodes.map(({ port }) => new Redis(port, '127.0.0.1'))
  const share = Math.ceil(slotsCount / mastersCount)
  for (const [n, master] of masters.entries()) {
    const last = Math.min(slotsCount, (n + 1) * share) - 1
    await master.call('CLUSTER', 'ADDSLOTSRANGE', n * share, last)
    for (const { port } of nodes) await master.call('CLUSTER', 'MEET', '127.0.0.1', port)
  }
  const agreed = async (master: Redis) => {
    const info = String(await master.call('CLUSTER', 'INFO'))
    return info.includes('cluster_state:ok') && info.includes(`known_nodes:${mastersCount}`)
  }
  await waitFor(async () => (await Promise.all(masters.map(agreed))).every(Boolean), startTimeoutMs)
  return {
    url: `redis+cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    masters,
    async stop() {
      for (const master of masters) master.disconnect()
      await Promise.all(nodes.map(({ stop }) => stop()))
      await rm(directory, { recursive: true, force: true })
    },
  }
}
