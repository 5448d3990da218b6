import { z } from 'zod'
import { apiPrefix, operation } from '../chain/operation.ts'
import { dataOf, responseTypes } from '../schemas/values.ts'

const session = z
  .object({ sessionToken: z.string(), expiresAt: responseTypes.dateTime })
  .meta({ id: 'Session' })

const headers = z.looseObject({ origin: z.string({ error: 'is required: browsers send it' }) })

/** POST /sessions: a token for key and origin. Any key (decision 17) and any body (18) will do. */
export const createSession = operation({
  operationId: 'createSession',
  method: 'POST',
  url: `${apiPrefix}/sessions`,
  access: { scope: null, activity: 'sessions', session: false },
  schema: { headers },
  response: { status: 201, schema: dataOf(session, 'SessionAnswer') },
  async handler({ sessionTokens, clock }, { caller, headers }) {
    const binding = { apiKeyId: caller.key.id, origin: headers.origin }
    const { token, expiresAt } = await sessionTokens.sign(binding, clock.now())
    return { data: { sessionToken: token, expiresAt: expiresAt.toISOString() } }
  },
})
