import { randomUUID } from 'node:crypto'
import type { Test } from 'supertest'
import type { TestApp } from './app.ts'

type Headers = Readonly<Record<string, string>>

/** A client that sends the same headers with every request. */
export interface Actor {
  get(path: string, headers?: Headers): Test
  post(path: string, body?: object, headers?: Headers): Test
  /** Sends POST /bookings. The default idempotency key is a new one. */
  book(body: object, idempotencyKey?: string): Test
}

const prefix = '/api/v1'

function actor(server: TestApp, own: Headers): Actor {
  return {
    get: (path, headers = {}) => server.http.get(prefix + path).set({ ...own, ...headers }),
    post: (path, body, headers = {}) =>
      server.http
        .post(prefix + path)
        .set({ ...own, ...headers })
        .send(body),
    book(body, idempotencyKey = randomUUID()) {
      return this.post('/bookings', body, { 'idempotency-key': idempotencyKey })
    },
  }
}

/** Returns a partner's back end, which sends only the key. */
export function aServer(server: TestApp, key: string): Actor {
  return actor(server, { authorization: `Bearer ${key}` })
}

/** Returns a page of a website without a session. */
export function aPage(server: TestApp, key: string, origin: string): Actor {
  return actor(server, { authorization: `Bearer ${key}`, origin })
}

/** Returns a page of a website with a session. */
export async function aVisitor(server: TestApp, key: string, origin: string): Promise<Actor> {
  const session = await aPage(server, key, origin).post('/sessions')
  return actor(server, {
    authorization: `Bearer ${key}`,
    origin,
    'x-session-token': session.body.data.sessionToken,
  })
}

export const customer = {
  firstName: 'Kari',
  lastName: 'Nordmann',
  email: 'kari@example.com',
  phone: '+47 12 34 56 78',
}
