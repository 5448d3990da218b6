import { tables } from '../schema/tables.ts'

/** Copied to every node, because these tables are read before the tenant is known. */
const reference = ['tenants', 'api_keys', 'api_key_secrets']

/** The location of each table in a distributed database (docs/scaling.md). */
export const placement: Readonly<Record<'reference' | 'distributed', readonly string[]>> = {
  reference,
  /** Distributed by `tenant_id`, with all rows of a tenant on one node. */
  distributed: tables.filter((name) => !reference.includes(name)),
}

/** Functions that run on the node of the tenant in their first argument. */
export const tenantFunctions = ['store_quotes', 'redeem_quote']
