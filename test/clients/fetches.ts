import type { ClientOptions } from '../../clients/typescript/index.ts'

type Fetch = NonNullable<ClientOptions['fetch']>

/** A request as it left the client. */
export interface Seen {
  readonly url: string
  readonly headers: Headers
  readonly init: RequestInit
}

/** The real fetch, noting every request. */
export function watching(inner: Fetch = fetch): { fetch: Fetch; seen: Seen[] } {
  const seen: Seen[] = []
  return {
    seen,
    fetch(url, init) {
      seen.push({ url, headers: new Headers(init.headers), init })
      return inner(url, init)
    },
  }
}

/** What a browser does: says where the page is from. */
export function fromOrigin(origin: string, inner: Fetch = fetch): Fetch {
  return (url, init) => {
    const headers = new Headers(init.headers)
    headers.set('Origin', origin)
    return inner(url, { ...init, headers })
  }
}

/** Lets requests to a path through, but loses the answers of the first so many. */
export function losing(path: string, count: number): Fetch {
  let left = count
  return async (url, init) => {
    const answer = await fetch(url, init)
    if (!url.includes(path) || left === 0) return answer
    left -= 1
    await answer.text()
    throw new TypeError('The connection was reset')
  }
}
