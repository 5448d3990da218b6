import { refusal } from './responses.ts'
import { type Answer, assert, type Checks, type RunContext } from './runContext.ts'

const keyed = ['origin', 'authorization', 'x-api-key', 'accept-encoding']
const longBytes = 1024

const namesIn = (list: string | null) => (list ?? '').toLowerCase().split(/\s*,\s*/)

/** What an answer says about being kept. */
function mayBeKept({ headers }: Answer, path: string, directives: readonly string[]): void {
  const said = namesIn(headers.get('cache-control')).sort().join()
  assert(said === [...directives].sort().join(), `${path}: Cache-Control is "${said}"`)
  const varies = namesIn(headers.get('vary'))
  for (const name of keyed) assert(varies.includes(name), `${path}: Vary does not name ${name}`)
}

/** Holds an answer and the 304 to its ETag to what may be kept of it. */
async function heldTo(
  { api }: RunContext,
  path: string,
  directives: readonly string[],
): Promise<void> {
  const first = await api.call(path)
  assert(first.status === 200, `${path}: expected 200, got ${first.status}`)
  mayBeKept(first, path, directives)
  const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
  const second = await api.call(path, { headers })
  assert(second.status === 304, `${path}: expected 304, got ${second.status}`)
  mayBeKept(second, path, directives)
}

/** What callers may keep, and for how long. Needs a group and a booking. */
export const cachingChecks: Checks = {
  async 'lists may be kept by their caller for 30 seconds, and answer 304 to their ETag'(walk) {
    const kept = ['private', 'max-age=30']
    await heldTo(walk, '/asset-groups', kept)
    await heldTo(walk, `/asset-groups/${walk.groupId}/rates`, kept)
  },
  async 'a booking may be stored but must be revalidated, and answers 304 to its ETag'(walk) {
    await heldTo(walk, `/bookings/${walk.bookingId}`, ['private', 'no-cache'])
  },
  async 'a long list comes in the coding that is asked for, with an ETag of its own'({ api }) {
    const read = (coding: string) =>
      api.call('/asset-groups', { headers: { 'accept-encoding': coding } })
    const plain = await read('identity')
    assert(
      !plain.headers.has('content-encoding'),
      'it is compressed although identity was asked for',
    )
    if (Buffer.byteLength(plain.text) <= longBytes) return
    for (const coding of ['br', 'gzip']) {
      const answer = await read(coding)
      const said = answer.headers.get('content-encoding')
      assert(said === coding, `asked for the coding ${coding}, got ${said ?? 'none'}`)
      assert(answer.text === plain.text, `${coding} is of another list`)
      assert(answer.headers.get('etag') !== plain.headers.get('etag'), 'two codings share an ETag')
    }
  },
  async 'a refusal is never kept'({ api }) {
    const answer = await api.call('/asset-groups/42/rates')
    refusal(answer, 400, 'VALIDATION_ERROR')
    assert(namesIn(answer.headers.get('cache-control')).includes('no-store'), 'it may be kept')
  },
}
