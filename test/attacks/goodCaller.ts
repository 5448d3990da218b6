import { randomUUID } from 'node:crypto'
import type { World } from '../faults/world.ts'

const customer = { firstName: 'Kari', lastName: 'Nordmann', email: 'kari@example.com' }

/** Returns a client that alternately reads the asset groups and books, and returns the response's status. */
export function goodCaller(world: World): (n: number) => Promise<number> {
  const headers = () => ({ authorization: `Bearer ${world.key.key}` })
  const url = () => `${world.replicas[0]?.url}/api/v1`
  const book = async () => {
    const [quoteId] = await world.quotes(1)
    return fetch(`${url()}/bookings`, {
      method: 'POST',
      headers: {
        ...headers(),
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({ quoteId, customer }),
    })
  }
  return async (n) => {
    const response = await (n % 2 === 0
      ? fetch(`${url()}/asset-groups`, { headers: headers() })
      : book())
    await response.arrayBuffer()
    return response.status
  }
}
