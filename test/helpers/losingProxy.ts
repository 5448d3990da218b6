import { once } from 'node:events'
import { createServer, request as httpRequest, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

/** Replaces the response to a booking request. */
export type Loss = (response: ServerResponse, forward: () => Promise<Answer>) => Promise<void>

const send = (response: ServerResponse, { status, headers, body }: Answer) =>
  void response.writeHead(status, headers).end(body)

const refuse =
  (status: number, code: string, retryAfter: string): Loss =>
  async (response) => {
    const headers = { 'content-type': 'application/json', 'retry-after': retryAfter }
    const body = JSON.stringify({ error: { code, message: `Refused with ${code}.` } })
    send(response, { status, headers, body })
  }

/** The losses after which a booking may or may not exist. */
export const losses = {
  'a request that is dropped': async (response) => {
    response.destroy()
  },
  'a response that is dropped': async (response, forward) => {
    await forward()
    response.destroy()
  },
  'half a response': async (response, forward) => {
    const { status, headers, body } = await forward()
    response.writeHead(status, { ...headers, 'content-length': String(body.length) })
    response.write(body.slice(0, body.length / 2), () => response.destroy())
  },
  'a 502 in HTML': async (response, forward) => {
    await forward()
    const headers = { 'content-type': 'text/html' }
    send(response, { status: 502, headers, body: '<h1>Bad gateway</h1>' })
  },
  'a hang': async (_response, forward) => {
    await forward()
  },
  'a 429': refuse(429, 'RATE_LIMITED', '1'),
  'a 500': refuse(500, 'INTERNAL_ERROR', '0'),
  'a 503': refuse(503, 'SERVICE_UNAVAILABLE', '1'),
  'a 429 of a day': refuse(429, 'RATE_LIMITED', '86400'),
} satisfies Record<string, Loss>

/** Changes the body of a successful response. */
type Change = (json: unknown) => unknown

/**
 * Starts an HTTP proxy on loopback in front of the API. `lose` applies a loss to the next `times`
 * booking requests; `change` changes each body.
 */
export async function startLosingProxy(upstream: string, change: Change = (json) => json) {
  const state: { loss: Loss | undefined; left: number } = { loss: undefined, left: 0 }
  const proxy = createServer(async (incoming, response) => {
    const body = await buffer(incoming)
    const forward = async (): Promise<Answer> => {
      const { method, url = '', headers } = incoming
      const outgoing = httpRequest(upstream + url, {
        ...(method && { method }),
        headers: { ...headers, 'accept-encoding': 'identity' },
      })
      outgoing.end(body)
      const [answer] = await once(outgoing, 'response')
      const text = (await buffer(answer)).toString()
      const { 'content-type': type = '', 'retry-after': after } = answer.headers
      const isJson = type.includes('json')
      return {
        status: answer.statusCode,
        headers: { 'content-type': type, ...(after && { 'retry-after': after }) },
        body: Buffer.from(isJson ? JSON.stringify(change(JSON.parse(text))) : text),
      }
    }
    const isBooking = incoming.method === 'POST' && incoming.url?.endsWith('/bookings')
    if (state.loss === undefined || !isBooking || state.left === 0) {
      return send(response, await forward())
    }
    state.left -= 1
    return state.loss(response, forward)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    lose(loss: Loss, times: number) {
      Object.assign(state, { loss, left: times })
    },
    async stop() {
      proxy.closeAllConnections()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
