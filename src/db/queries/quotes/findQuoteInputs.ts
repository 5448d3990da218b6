import type { OrmConnection } from '../../connection/database.ts'
import { columnsOf, type RowKey, rowOf } from '../../connection/statement.ts'
import { quotes } from '../../schema/index.ts'

export async function findQuoteInputs({ orm }: OrmConnection, { tenantId, id }: RowKey) {
  const [found] = await orm
    .select(columnsOf(quotes, 'id', 'tenantId', 'inputs'))
    .from(quotes)
    .where(rowOf(quotes, tenantId, id))
  return found
}
