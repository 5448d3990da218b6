import type { ClientOptions } from '../../clients/typescript/index.ts'

type Fetch = NonNullable<ClientOptions['fetch']>

export interface Seen {
  readonly url: string
  readonly headers: Headers
  readonly init: RequestInit
}

/** Returns a fetch that records every request. */
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

/** Returns a fetch that sends an Origin header, as browsers do. */
export function fromOrigin(origin: string, inner: Fetch = fetch): Fetch {
  return (url, init) => {
    const headers = new Headers(init.headers)
    headers.set('Origin', origin)
    return inner(url, { ...init, headers })
  }
}

/** Returns a fetch that loses the first `count` responses from a path. */
export function losing(path: string, count: number): Fetch {
  let left = count
  return async (url, init) => {
    const response = await fetch(url, init)
    if (!url.includes(path) || left === 0) return response
    left -= 1
    await response.text()
    throw new TypeError('The connection was reset')
  }
}
