import { run } from './stack.ts'

/**
 * Requires Docker with Compose. Without them the tests fail, because skipped tests look like passed ones.
 * @throws Error if one is missing
 */
export async function setup(): Promise<void> {
  for (const argv of [['info'], ['compose', 'version']]) {
    const { exitCode, error } = await run('docker', argv)
    if (exitCode === 0) continue
    throw new Error(
      `These tests need a Docker engine with docker compose: ` +
        `\`docker ${argv.join(' ')}\` says ${error.trim()}`,
    )
  }
}
