import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { notifyAccessChange } from '../../src/db/connection/changeNotifications.ts'
import { apiKeys, quotes } from '../../src/db/schema/index.ts'
import { runs } from '../domain/pricing/runs.ts'
import { type Actor, aServer, aVisitor, customer } from '../helpers/actors.ts'
import { useTestApp } from '../helpers/app.ts'
import { inDays } from '../helpers/dates.ts'
import { aGroup, aKey, aTenant } from '../helpers/seed.ts'
import { waitFor } from '../helpers/waitFor.ts'
import { expectInvariants } from './invariants.ts'
import { type ActorName, actors, type BookCommand, type Command, Model } from './model.ts'
import { faultRuns } from './row.ts'

const server = useTestApp()
const origin = 'https://shop.example'
const revokedWithinMs = 60_000
const quotesMax = 4
const unknownQuote = 9
const unknownQuoteId = randomUUID()

const by = fc.constantFrom(...actors)
// Few quotes and keys collide often; the last index is a quote that never exists.
const quote = fc.nat(quotesMax)
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ name: fc.constant('quote'), by }) },
  {
    weight: 8,
    arbitrary: fc.record({
      name: fc.constant('book'),
      by,
      quote,
      key: fc.constantFrom('a', 'b', 'c'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ name: fc.constant('replay'), nth: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ name: fc.constant('expire'), quote }) },
  { weight: 2, arbitrary: fc.record({ name: fc.constant('read'), nth: fc.nat(3) }) },
)
// Nothing succeeds after the revocation, so it comes last.
const scenario = fc
  .tuple(fc.array(command, { maxLength: 40 }), fc.array(command, { maxLength: 3 }))
  .map(([before, after]): Command[] => [...before, { name: 'revoke' }, ...after])

interface Run {
  readonly model: Model
  readonly callers: Readonly<Record<ActorName, Actor>>
  readonly tenantId: string
  readonly keyId: string
  readonly groupId: string
  readonly quoteIds: string[]
}

async function aRun(): Promise<Run> {
  const { database } = server.deps
  const tenantId = await aTenant(database)
  const groupId = await aGroup(database, tenantId)
  const { id, key } = await aKey(database, tenantId, { origins: [origin] })
  const callers = {
    server: aServer(server, key),
    'visitor one': await aVisitor(server, key, origin),
    'visitor two': await aVisitor(server, key, origin),
  }
  return { model: new Model(), callers, tenantId, keyId: id, groupId, quoteIds: [] }
}

async function makeQuote({ model, callers, groupId, quoteIds }: Run, owner: ActorName) {
  if (quoteIds.length === quotesMax) return
  const body = { assetGroupId: groupId, pickupDatetime: inDays(1), dropoffDatetime: inDays(2) }
  const response = await callers[owner].post('/quotes', body)
  expect(response.status).toBe(model.revoked ? 401 : 201)
  if (model.revoked) return
  quoteIds.push(response.body.data.quoteId)
  model.quotes.push({ owner, expired: false, used: false })
}

async function book({ model, callers, quoteIds }: Run, requested: BookCommand) {
  // An unknown quote id must stay unknown, or a retry would be a different request.
  const command =
    requested.quote < quoteIds.length ? requested : { ...requested, quote: unknownQuote }
  const expected = model.expect(command)
  const quoteId = quoteIds[command.quote] ?? unknownQuoteId
  const response = await callers[command.by].book({ quoteId, customer }, command.key)
  expect(response.body.error?.code ?? String(response.status), JSON.stringify(command)).toBe(
    expected.outcome,
  )
  expect(response.headers['idempotent-replayed'] === 'true').toBe(expected.replayOf !== undefined)
  if (expected.replayOf !== undefined) expect(response.text).toBe(expected.replayOf)
  model.record(command, expected, response.text)
}

async function read({ model, callers }: Run, nth: number) {
  const known = model.bookings[nth]
  const id = known === undefined ? randomUUID() : JSON.parse(known).data.bookingId
  const response = await callers.server.get(`/bookings/${id}`)
  if (model.revoked) expect(response.status).toBe(401)
  else expect([response.status, response.text]).toEqual(known ? [200, known] : [404, response.text])
}

async function expire({ model, quoteIds }: Run, index: number) {
  const [known, id] = [model.quotes[index], quoteIds[index]]
  if (known === undefined || id === undefined) return
  known.expired = true
  // Expiry must not precede use, or the invariants would find a booking on an expired quote.
  const past = sql`coalesce(${quotes.usedAt}, now() - interval '1 s')`
  await server.deps.database.orm.update(quotes).set({ expiresAt: past }).where(eq(quotes.id, id))
}

async function revoke({ model, callers, tenantId, keyId }: Run) {
  // The application's clock is fixed at the start of the file in tests.
  const past = sql`now() - interval '1 hour'`
  await server.deps.database.orm
    .update(apiKeys)
    .set({ revokedAt: past })
    .where(eq(apiKeys.id, keyId))
  await notifyAccessChange(server.deps.database, tenantId)
  const revoked = async () => (await callers.server.get('/asset-groups')).status === 401
  await waitFor(revoked, revokedWithinMs)
  model.revoked = true
}

async function perform(run: Run, command: Command): Promise<void> {
  if (command.name === 'quote') return makeQuote(run, command.by)
  if (command.name === 'book') return book(run, command)
  if (command.name === 'read') return read(run, command.nth)
  if (command.name === 'expire') return expire(run, command.quote)
  if (command.name === 'revoke') return revoke(run)
  const earlier = run.model.sent[command.nth]
  return earlier === undefined ? undefined : book(run, earlier)
}

it('the API matches the model of quotes and bookings on random requests', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (commands) => {
      const run = await aRun()
      for (const command of commands) await perform(run, command)
    }),
    runs('model of quotes and bookings', 40 * faultRuns),
  )
  await expectInvariants(server.deps.database)
})
