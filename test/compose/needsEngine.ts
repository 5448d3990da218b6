import { run } from './stack.ts'

/** Refuses in one line where there is no engine: a skipped step would look like one that holds. */
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
