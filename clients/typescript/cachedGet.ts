import type { HttpRequest, Send } from './http.ts'
import { keepNewest } from './newest.ts'

interface Remembered {
  readonly etag: string
  readonly data: unknown
}

/** GETs that tell the API which answer is here already: a 304 costs it and the network little. */
export function createCachedGet(send: Send) {
  const answers = new Map<string, Remembered>()
  return async <T>(request: Pick<HttpRequest, 'path' | 'signal'>): Promise<T> => {
    const known = answers.get(request.path)
    const headers: Record<string, string> = known ? { 'If-None-Match': known.etag } : {}
    const { status, etag, data } = await send({ method: 'GET', ...request, headers })
    if (status === 304) return known?.data as T
    if (etag !== null) keepNewest(answers, request.path, { etag, data })
    return data as T
  }
}
