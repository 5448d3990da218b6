import { expect } from 'vitest'
import { aTenant } from '../../helpers/seed.ts'
import { announcedBy, type Ground, oneValue, type Rule } from './ground.ts'

const versionOf = (on: Ground, tenantId: string) =>
  oneValue<string>(on, 'select catalog_version as value from tenants where id = $1', tenantId)

/** What changes who may call, step by step. */
const accessChanges = ({ tenantId, keyId, strangerId }: Ground) => [
  `update tenants set status = 'suspended'`,
  `update tenants set subscription = 'past_due'`,
  `update tenants set online_booking = false`,
  // The zone bounds ranges (13), and is remembered with the key.
  `update tenants set timezone = 'Europe/Paris' where id = '${tenantId}'`,
  `update api_key_identities set revoked_at = now() where id = '${keyId}'`,
  `update api_key_secrets set ends_at = now() where api_key_id = '${keyId}'`,
  `insert into api_key_secrets (tenant_id, api_key_id, key_hash, prefix, last4)
     values ('${tenantId}', '${keyId}', sha256('another'), 'pk', '1234')`,
  `delete from api_key_secrets where api_key_id = '${strangerId}'`,
  `delete from api_key_identities where id = '${strangerId}'`,
  `insert into api_key_identities (tenant_id, name, scopes, origins)
     values ('${tenantId}', 'new', '{}', '{}')`,
  `insert into tenants (slug, name, timezone, currency, tax_percent, prices_include_tax,
     grace_period_minutes) values ('new', 'New', 'Europe/Oslo', 'NOK', 25, false, 29)`,
  `delete from tenants where slug = 'new'`,
]

/** What changes an offer or its price, step by step. */
const catalogChanges = ({ tenantId, groupId }: Ground) => [
  `insert into asset_groups (tenant_id, ref, name, category, currency, turnaround_minutes)
     values ('${tenantId}', 'new', 'New', 'car', 'NOK', 0)`,
  `update asset_groups set name = 'Compact' where ref = 'new'`,
  `delete from asset_groups where ref = 'new'`,
  `insert into rates (tenant_id, asset_group_id, ref, name, daily_minor)
     values ('${tenantId}', '${groupId}', 'new', 'New', 100)`,
  `update rates set daily_minor = 200 where tenant_id = '${tenantId}' and ref = 'new'`,
  `delete from rates where tenant_id = '${tenantId}' and ref = 'new'`,
  `insert into extras (tenant_id, ref, name, pricing, currency, price_minor)
     values ('${tenantId}', 'new', 'New', 'per_day', 'NOK', 100)`,
  `update extras set price_minor = 200 where tenant_id = '${tenantId}' and ref = 'new'`,
  `delete from extras where tenant_id = '${tenantId}' and ref = 'new'`,
  ...[
    `timezone = 'Europe/Paris'`,
    'tax_percent = 10',
    'prices_include_tax = true',
    'grace_period_minutes = 0',
    'min_lead_minutes = 60',
    `seasons = 'pickup'`,
  ].map((term) => `update tenants set ${term} where id = '${tenantId}'`),
]

/** What the triggers promise the servers that keep keys and catalogs in memory (27, 140, 200). */
export const changeRules = {
  async 'every change of who may call is announced'(on) {
    for (const change of accessChanges(on)) {
      expect([change, await announcedBy(on, change)]).toEqual([
        change,
        expect.arrayContaining(['access_changed']),
      ])
    }
  },

  async 'every change of an offer is announced by its tenant, and is no news about who may call'(
    on,
  ) {
    await aTenant(on.database)
    const onlyPrices = catalogChanges(on).filter((change) => !change.includes('timezone'))
    for (const change of onlyPrices) {
      const expected = [change, [`catalog_changed ${on.tenantId}`]]
      expect([change, await announcedBy(on, change)]).toEqual(expected)
    }
  },

  async "every change of an offer raises its tenant's version, and no other's"(on) {
    const other = await aTenant(on.database)
    const otherBefore = await versionOf(on, other)
    for (const change of catalogChanges(on)) {
      const before = BigInt(await versionOf(on, on.tenantId))
      await on.database.pool.query(change)
      const raised = BigInt(await versionOf(on, on.tenantId)) > before
      expect([change, raised]).toEqual([change, true])
    }
    expect(await versionOf(on, other)).toBe(otherBefore)
  },

  async 'a suspension leaves the prices as they are: no quote is refused for it'(on) {
    const before = await versionOf(on, on.tenantId)
    await on.database.pool.query(`update tenants set status = 'suspended', name = 'New'`)
    expect(await versionOf(on, on.tenantId)).toBe(before)
  },
} satisfies Record<string, Rule>
