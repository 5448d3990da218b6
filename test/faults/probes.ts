import { expect } from 'vitest'
import { waitFor } from '../helpers/waitFor.ts'
import type { World } from './world.ts'

/** Three seconds, and time for a busy machine. */
export const responseMaxMs = 5_000
export const recoveryMaxMs = 5_000

const probe = async ({ replicas: [replica] }: World, path: string) =>
  (await fetch(`${replica?.url}${path}`)).status

/** Checks that the first replica is alive, and not ready. */
export async function expectNotReady(world: World): Promise<void> {
  const startedMs = performance.now()
  expect(await probe(world, '/readyz')).toBe(503)
  expect(performance.now() - startedMs).toBeLessThan(responseMaxMs)
  expect(await probe(world, '/healthz')).toBe(200)
}

/** Checks that the first replica becomes ready in time. */
export async function expectRecovery(world: World): Promise<void> {
  const backMs = performance.now()
  await waitFor(async () => (await probe(world, '/readyz')) === 200, recoveryMaxMs)
  expect(performance.now() - backMs).toBeLessThan(recoveryMaxMs)
}
