import { expect } from 'vitest'
import { aGroup, aTenant } from '../../helpers/seed.ts'
import { announcedBy, type Ground, oneValue, type Rule } from './ground.ts'

/** The version of this release, and that of the release before. */
const versionsOf = async (on: Ground, tenantId: string) => [
  await oneValue<string>(
    on,
    'select version as value from catalogs where tenant_id = $1',
    tenantId,
  ),
  await oneValue<string>(
    on,
    'select catalog_version as value from tenants where id = $1',
    tenantId,
  ),
]

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
    const otherBefore = await versionsOf(on, other)
    for (const change of catalogChanges(on)) {
      const before = await versionsOf(on, on.tenantId)
      await on.database.pool.query(change)
      const after = await versionsOf(on, on.tenantId)
      const raised = after.map((version, index) => version !== before[index])
      expect([change, ...raised]).toEqual([change, true, true])
    }
    expect(await versionsOf(on, other)).toEqual(otherBefore)
  },

  async 'a version is never that of an earlier offer, also after a restore'(on) {
    const seen = new Set([(await versionsOf(on, on.tenantId))[0]])
    const restores = ['delete from catalog_versions', 'update catalog_versions set version = 1']
    for (const before of ['', '', ...restores, ...restores]) {
      await on.database.pool.query(before)
      const change = `update rates set name = name where tenant_id = '${on.tenantId}'`
      await on.database.pool.query(change)
      seen.add((await versionsOf(on, on.tenantId))[0])
    }
    expect(seen.size).toBe(7)
  },

  async 'a version rises, though the clock was set back'(on) {
    const version = () => oneValue<string>(on, 'select max(version) as value from catalog_versions')
    const change = `update rates set name = name where tenant_id = '${on.tenantId}'`
    await on.database.pool.query(change)
    await on.database.pool.query('update catalog_versions set version = version + 86400000000')
    const before = await version()
    await on.database.pool.query(change)
    expect(BigInt(await version()) - BigInt(before)).toBe(1n)
  },

  async 'two changes of one transaction raise the version for others to see, and no third is lost'(
    on,
  ) {
    const other = await aTenant(on.database)
    await aGroup(on.database, other)
    const before = await Promise.all([on.tenantId, other].map((id) => versionsOf(on, id)))
    const rename = (name: string, id: string) =>
      `update asset_groups set name = '${name}' where tenant_id = '${id}'`
    await on.database.pool.query(
      `${rename('A', on.tenantId)}; ${rename('A', other)}; ${rename('B', on.tenantId)}`,
    )
    const after = await Promise.all([on.tenantId, other].map((id) => versionsOf(on, id)))
    expect(after.map(([version], index) => version === before[index]?.[0])).toEqual([false, false])
  },

  async 'a suspension leaves the prices as they are: no quote is refused for it'(on) {
    const before = await versionsOf(on, on.tenantId)
    await on.database.pool.query(`update tenants set status = 'suspended', name = 'New'`)
    expect(await versionsOf(on, on.tenantId)).toEqual(before)
  },
} satisfies Record<string, Rule>
