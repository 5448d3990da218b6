import { expectError } from './responses.ts'
import { type ApiResponse, assert, type Checks, type RunContext } from './runContext.ts'

const keyed = ['origin', 'authorization', 'x-api-key', 'accept-encoding']
const longBytes = 1024

const namesIn = (list: string | null) => (list ?? '').toLowerCase().split(/\s*,\s*/)

function assertCacheHeaders(
  { headers }: ApiResponse,
  path: string,
  directives: readonly string[],
): void {
  const actual = namesIn(headers.get('cache-control')).sort().join()
  assert(actual === [...directives].sort().join(), `${path}: Cache-Control is "${actual}"`)
  const varies = namesIn(headers.get('vary'))
  for (const name of keyed) assert(varies.includes(name), `${path}: Vary does not name ${name}`)
}

/** Asserts the caching headers of a response, and of the 304 for its ETag. */
async function assertCaching(
  { api }: RunContext,
  path: string,
  directives: readonly string[],
): Promise<void> {
  const first = await api.call(path)
  assert(first.status === 200, `${path}: expected 200, got ${first.status}`)
  assertCacheHeaders(first, path, directives)
  const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
  const second = await api.call(path, { headers })
  assert(second.status === 304, `${path}: expected 304, got ${second.status}`)
  assertCacheHeaders(second, path, directives)
}

/** Checks of caching headers and ETags. They need a group and a booking from earlier checks. */
export const cachingChecks: Checks = {
  async 'a list can be cached privately for 30 seconds and revalidated by its ETag'(context) {
    const directives = ['private', 'max-age=30']
    await assertCaching(context, '/asset-groups', directives)
    await assertCaching(context, `/asset-groups/${context.groupId}/rates`, directives)
  },
  async 'a booking can be cached privately, must be revalidated, and gets 304 for its ETag'(
    context,
  ) {
    await assertCaching(context, `/bookings/${context.bookingId}`, ['private', 'no-cache'])
  },
  async 'a long list is sent in the requested content coding, with a different ETag for each coding'({
    api,
  }) {
    const read = (coding: string) =>
      api.call('/asset-groups', { headers: { 'accept-encoding': coding } })
    const plain = await read('identity')
    assert(
      !plain.headers.has('content-encoding'),
      'the list is compressed although identity was requested',
    )
    if (Buffer.byteLength(plain.text) <= longBytes) return
    for (const coding of ['br', 'gzip']) {
      const response = await read(coding)
      const actual = response.headers.get('content-encoding')
      assert(actual === coding, `requested the coding ${coding}, got ${actual ?? 'none'}`)
      assert(
        response.text === plain.text,
        `the decompressed ${coding} response differs from the uncompressed one`,
      )
      assert(
        response.headers.get('etag') !== plain.headers.get('etag'),
        'two codings have the same ETag',
      )
    }
  },
  async 'an error response is never cached'({ api }) {
    const response = await api.call('/asset-groups/42/rates')
    expectError(response, 400, 'VALIDATION_ERROR')
    assert(
      namesIn(response.headers.get('cache-control')).includes('no-store'),
      'Cache-Control allows caching',
    )
  },
}
