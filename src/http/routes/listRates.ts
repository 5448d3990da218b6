import { z } from 'zod'
import { findGroupRates } from '../../db/catalog.ts'
import { currencyDecimals, formatAmount } from '../../domain/money.ts'
import { localDate } from '../../domain/period.ts'
import { isRateListed, type Rate } from '../../domain/rates.ts'
import { type RoutePlugin, typed } from '../fastify.ts'
import { unknownAssetGroup } from '../notFound.ts'
import { answerSchema, dataOf, idParams } from '../schemas.ts'

const rate = z.object({
  id: z.string(),
  name: z.string(),
  dailyRate: z.string(),
  hourlyRate: z.string().nullable(),
  weeklyRate: z.string().nullable(),
  monthlyRate: z.string().nullable(),
  currency: z.string(),
  validFrom: z.string().nullable(),
  validTo: z.string().nullable(),
})

function present(row: Rate): z.infer<typeof rate> {
  const decimals = currencyDecimals(row.currency) ?? 2
  const amount = (minor: bigint | null) => (minor === null ? null : formatAmount(minor, decimals))
  return {
    id: row.id,
    name: row.name,
    dailyRate: formatAmount(row.dailyMinor, decimals),
    hourlyRate: amount(row.hourlyMinor),
    weeklyRate: amount(row.weeklyMinor),
    monthlyRate: amount(row.monthlyMinor),
    currency: row.currency,
    validFrom: row.validFrom,
    validTo: row.validTo,
  }
}

/** GET /asset-groups/{id}/rates: for display only, those that still apply or will (decision 11). */
export const listRates: RoutePlugin = async (app, { deps }) => {
  typed(app).get(
    '/asset-groups/:id/rates',
    {
      config: { access: { scope: 'rates:read', limit: 'reads', session: false }, etag: true },
      schema: { params: idParams, response: { 200: answerSchema(dataOf(z.array(rate))) } },
    },
    async ({ caller: { tenant }, params }) => {
      const group = await findGroupRates(deps.database, tenant.id, params.id)
      if (group === undefined) throw unknownAssetGroup()
      const today = localDate(deps.clock.now(), tenant.timezone)
      return { data: group.rates.filter((row) => isRateListed(row, today)).map(present) }
    },
  )
}
