import { expect } from 'vitest'
import { aGroup, aTenant } from '../../helpers/seed.ts'
import { type Ground, oneValue, type Rule } from './ground.ts'

const versionOf = (on: Ground, tenantId: string) =>
  oneValue<string>(on, 'select version as value from catalogs where tenant_id = $1', tenantId)

/** Returns statements that each change an offer or its price, in order. */
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
    `opening_hours = '[{"days":["monday"],"opens":"07:00","closes":"22:00"}]'`,
    `special_days = '[{"from":"2038-12-25"}]'`,
    `language = 'de'`,
  ].map((term) => `update tenants set ${term} where id = '${tenantId}'`),
]

export const changeRules = {
  async 'raises the catalog version of the changed tenant, and of no other, on every change of its catalog'(
    on,
  ) {
    const other = await aTenant(on.database)
    const otherBefore = await versionOf(on, other)
    for (const change of catalogChanges(on)) {
      const before = await versionOf(on, on.tenantId)
      await on.database.pool.query(change)
      expect([change, await versionOf(on, on.tenantId)]).not.toEqual([change, before])
    }
    expect(await versionOf(on, other)).toEqual(otherBefore)
  },

  async 'never reuses a catalog version, even after a restore'(on) {
    const seen = new Set([await versionOf(on, on.tenantId)])
    const restores = ['delete from catalog_versions', 'update catalog_versions set version = 1']
    for (const before of ['', '', ...restores, ...restores]) {
      await on.database.pool.query(before)
      const change = `update rates set name = name where tenant_id = '${on.tenantId}'`
      await on.database.pool.query(change)
      seen.add(await versionOf(on, on.tenantId))
    }
    expect(seen.size).toBe(7)
  },

  async 'raises the catalog version when the clock was set back'(on) {
    const version = () => oneValue<string>(on, 'select max(version) as value from catalog_versions')
    const change = `update rates set name = name where tenant_id = '${on.tenantId}'`
    await on.database.pool.query(change)
    await on.database.pool.query('update catalog_versions set version = version + 86400000000')
    const before = await version()
    await on.database.pool.query(change)
    expect(BigInt(await version()) - BigInt(before)).toBe(1n)
  },

  async 'raises the version of each tenant changed in one transaction'(on) {
    const other = await aTenant(on.database)
    await aGroup(on.database, other)
    const before = await Promise.all([on.tenantId, other].map((id) => versionOf(on, id)))
    const rename = (name: string, id: string) =>
      `update asset_groups set name = '${name}' where tenant_id = '${id}'`
    await on.database.pool.query(
      `${rename('A', on.tenantId)}; ${rename('A', other)}; ${rename('B', on.tenantId)}`,
    )
    const after = await Promise.all([on.tenantId, other].map((id) => versionOf(on, id)))
    expect(after.map((version, index) => version === before[index])).toEqual([false, false])
  },

  async 'does not raise the catalog version when a tenant is suspended or renamed'(on) {
    const before = await versionOf(on, on.tenantId)
    await on.database.pool.query(`update tenants set status = 'suspended', name = 'New'`)
    expect(await versionOf(on, on.tenantId)).toEqual(before)
  },
} satisfies Record<string, Rule>
