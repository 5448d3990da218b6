import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ephemeral ports, so that no outgoing connection takes a port first. */
const lowest = 12_000
const highest = 20_000
const triesMax = 100

let next = randomInt(lowest, highest)

/**
 * Returns a free port of 127.0.0.1, for programs that cannot choose one themselves.
 * @throws Error if none is found
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < triesMax; tries++) {
    const port = next
    next = port + 1 < highest ? port + 1 : lowest
    if (await isFree(port)) return port
  }
  throw new Error(`Programs listen on each of ${triesMax} ports, the last of them ${next}`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
