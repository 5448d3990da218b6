import type { HttpRequest, Send } from './http.ts'
import { keepNewest } from './newest.ts'

interface CachedResponse {
  readonly etag: string
  readonly data: unknown
}

/** Returns a function that sends conditional GETs and returns the cached data on a 304. */
export function createCachedGet(send: Send) {
  const responses = new Map<string, CachedResponse>()
  return async <T>(request: Pick<HttpRequest, 'path' | 'signal'>): Promise<T> => {
    const cached = responses.get(request.path)
    const headers: Record<string, string> = cached ? { 'If-None-Match': cached.etag } : {}
    const { status, etag, data } = await send({ method: 'GET', ...request, headers })
    if (status === 304) return cached?.data as T
    if (etag !== null) keepNewest(responses, request.path, { etag, data })
    return data as T
  }
}
