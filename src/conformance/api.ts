export interface ApiResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed body; {} if it is not a JSON object. */
  readonly body: Readonly<Record<string, unknown>>
}

export interface Call {
  readonly method?: 'GET' | 'POST' | 'OPTIONS'
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: object
  /** Whether to send the API key. Default true. */
  readonly withKey?: boolean
}

const timeoutMs = 15_000

/** Returns a function that calls the deployment under test. */
export function apiAt(baseUrl: string, apiKey: string) {
  const root = `${baseUrl.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}/api/v1`
  return async (path: string, call: Call = {}): Promise<ApiResponse> => {
    const { method = 'GET', headers, body, withKey = true } = call
    const response = await fetch(root + path, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        ...(withKey && { authorization: `Bearer ${apiKey}` }),
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: parse(text) }
  }
}

function parse(text: string) {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}
