import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll } from 'vitest'

export function addressOf(listening: Server): string {
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`
}

export interface Passing {
  readonly method: string
  readonly path: string
  status: number
  headers: Headers
  text: string
}

const encoders: Record<string, (text: string) => Buffer> = {
  br: brotliCompressSync,
  gzip: gzipSync,
}

/** Provides proxies of the API whose responses break one rule each. */
export function useBrokenStubs(baseUrl: () => string) {
  const stubs: Server[] = []
  afterAll(() => {
    for (const stub of stubs) stub.close()
  })
  return async (spoil: (received: Passing) => void): Promise<string> => {
    const stub = createServer(async (request: IncomingMessage, response) => {
      const { method = 'GET', url = '' } = request
      const headers = Object.fromEntries(
        Object.entries(request.headers).filter(
          ([name]) => !/^(host|connection|content-length)$/.test(name),
        ),
      ) as Record<string, string>
      const body = await buffer(request)
      const received = await fetch(baseUrl() + url, {
        method,
        headers,
        ...(body.length > 0 && { body }),
      })
      const { status } = received
      const passing = {
        method,
        path: url,
        status,
        headers: new Headers(received.headers),
        text: await received.text(),
      }
      spoil(passing)
      const forwarded = [...passing.headers].filter(
        ([name]) => !/^(connection|keep-alive|content-length|transfer-encoding)$/.test(name),
      )
      const encode = encoders[passing.headers.get('content-encoding') ?? '']
      const bytes = encode?.(passing.text) ?? passing.text
      response.writeHead(passing.status, Object.fromEntries(forwarded)).end(bytes)
    })
    stubs.push(stub)
    await new Promise<void>((listening) => stub.listen(0, '127.0.0.1', listening))
    return addressOf(stub)
  }
}
