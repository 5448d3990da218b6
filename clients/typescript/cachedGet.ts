import type { HttpRequest, Send } from './http.ts'

interface Remembered {
  readonly etag: string
  readonly data: unknown
}

/** Far more than one visitor's page or one back end's open bookings. */
const rememberedMax = 200

/** GETs that tell the API which answer is here already: a 304 costs it and the network little. */
export function createCachedGet(send: Send) {
  const answers = new Map<string, Remembered>()
  return async (request: Pick<HttpRequest, 'path' | 'signal'>): Promise<unknown> => {
    const known = answers.get(request.path)
    const headers: Record<string, string> = known ? { 'If-None-Match': known.etag } : {}
    const { status, etag, data } = await send({ method: 'GET', ...request, headers })
    if (status === 304) return known?.data
    if (etag !== null) {
      const [oldest] = answers.keys()
      if (answers.size >= rememberedMax && oldest !== undefined) answers.delete(oldest)
      answers.set(request.path, { etag, data })
    }
    return data
  }
}
