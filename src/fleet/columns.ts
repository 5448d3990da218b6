import type { z } from 'zod'
import { foldRef } from '../domain/foldText.ts'
import { groupBy } from '../domain/groupBy.ts'
import { currencyDecimals, formatMoney, parseAmount } from '../domain/money.ts'
import { shortPercent } from '../domain/pricing/tax.ts'
import {
  extraFields,
  type FleetField,
  type FleetFields,
  groupFields,
  rateFields,
  tenantFields,
} from './fields.ts'
import type { FleetFile } from './fleetFile.ts'
import type { ListPlan, RowWithId, Stored } from './planList.ts'

type FileGroup = FleetFile['assetGroups'][number]
type FileAsset = FileGroup['assets'][number]

type Values<Fields extends FleetFields> = {
  [Name in keyof Fields]: z.output<Fields[Name]['field']>
}

type AmountMinor<Amount> = Amount extends string ? bigint : Amount

type ColumnOf<Fields extends FleetFields, Name extends keyof Fields> = Fields[Name] extends {
  readonly column: infer Column extends string
}
  ? Column
  : Name

type Columns<Fields extends FleetFields> = {
  [Name in keyof Fields as ColumnOf<Fields, Name>]: Fields[Name] extends { kind: 'amount' }
    ? AmountMinor<z.output<Fields[Name]['field']>>
    : z.output<Fields[Name]['field']>
}

function columnsOf<Fields extends FleetFields>(
  fields: Fields,
  values: Readonly<Record<keyof Fields, unknown>>,
  currency: string,
) {
  const decimals = currencyDecimals(currency)
  const columns = Object.entries<FleetField>(fields).map(([name, { column = name, kind }]) => {
    const value = values[name]
    const isAmount = kind === 'amount' && typeof value === 'string'
    return [column, isAmount ? parseAmount(value, decimals) : value]
  })
  return Object.fromEntries(columns) as Columns<Fields>
}

/** Returns the values of declared fields, as in the file. Reverses `columnsOf`. */
function valuesOf<Fields extends FleetFields>(
  fields: Fields,
  columns: Columns<Fields>,
  currency: string,
) {
  const stored = new Map<string, unknown>(Object.entries(columns))
  const values = Object.entries<FleetField>(fields).map(([name, { column = name }]) => {
    const value = stored.get(column)
    return [name, typeof value === 'bigint' ? formatMoney(value, currency) : value]
  })
  return Object.fromEntries(values) as Values<Fields>
}

/** The lists of a fleet. Parents come before the rows that refer to them. */
export const listNames = ['groups', 'assets', 'blocks', 'rates', 'extras'] as const
export type ListName = (typeof listNames)[number]

/** Converts fleet-file entries to the database columns that an import sets. */
export const toColumns = {
  /** Does not return status, subscription and online booking, which imports must not change. */
  tenant(tenant: FleetFile['tenant']) {
    const columns = columnsOf(tenantFields, tenant, tenant.currency)
    return { ...columns, taxPercent: shortPercent(tenant.taxPercent) }
  },

  groups(group: FileGroup, tenantCurrency: string) {
    const { currency = tenantCurrency } = group
    return { ...columnsOf(groupFields, group, currency), currency }
  },

  assets({ ref }: FileAsset, assetGroupId: string) {
    return { assetGroupId, ref, foldedRef: foldRef(ref) }
  },

  blocks({ from, to, reason }: FileAsset['blocks'][number], assetId: string) {
    return { assetId, startsAt: from, endsAt: to, reason }
  },

  rates(rate: FileGroup['rates'][number], assetGroupId: string, currency: string) {
    return { assetGroupId, ...columnsOf(rateFields, rate, currency) }
  },

  extras(extra: FleetFile['extras'][number], tenantCurrency: string) {
    const { currency = tenantCurrency } = extra
    return { ...columnsOf(extraFields, extra, currency), currency }
  },
}

/** The columns of a row that an import sets. */
type Content<Name extends keyof typeof toColumns> = ReturnType<(typeof toColumns)[Name]>

/** A stored block. `blockedBy` is the operator who created it; null if it is from a fleet file. */
type StoredBlock = Content<'blocks'> & { readonly blockedBy: string | null }

/** A tenant's stored fleet, including archived rows. */
export type StoredFleet = {
  readonly [Name in Exclude<ListName, 'blocks'>]: readonly Stored<Content<Name>>[]
} & {
  readonly blocks: readonly Stored<StoredBlock>[]
  readonly tenant: Stored<Content<'tenant'>> | undefined
  /** The number of changes, and the one that the workbook of the last change carried. */
  readonly state?: { readonly number: number; readonly from: number | null }
}

/** The stored fleet of a new tenant. */
export const noFleet: StoredFleet = {
  tenant: undefined,
  groups: [],
  assets: [],
  blocks: [],
  rates: [],
  extras: [],
}

export type FleetPlan = { readonly [Name in ListName]: ListPlan<Content<Name>> } & {
  readonly tenant: RowWithId<Content<'tenant'>> & ListPlan<Content<'tenant'>>
}

/** Converts database columns to fleet-file entries. Reverses `toColumns`. */
export const toFileFormat = {
  tenant: (content: Content<'tenant'>) => valuesOf(tenantFields, content, content.currency),

  groups(content: Content<'groups'>) {
    const { currency } = content
    return { ...valuesOf(groupFields, content, currency), currency }
  },

  blocks({ startsAt, endsAt, reason }: Content<'blocks'>) {
    return { from: startsAt.toISOString(), to: endsAt.toISOString(), reason }
  },

  rates: (content: Content<'rates'>, currency: string) => valuesOf(rateFields, content, currency),

  extras(content: Content<'extras'>) {
    const { currency } = content
    return { ...valuesOf(extraFields, content, currency), currency }
  },
}

/**
 * Returns the active rows of a fleet as a fleet file with ids. With `toFileFormat.blocks` as
 * `describeBlock`, importing the file changes nothing.
 */
export function fleetOf<Block>(
  slug: string,
  stored: StoredFleet,
  describeBlock: (content: StoredBlock) => Block,
) {
  if (stored.tenant === undefined) throw new Error('Bug: a tenant without a fleet')
  const blocks = stored.blocks
    .flatMap(({ archived, content }) => (archived ? [] : content))
    .toSorted((a, b) => Number(a.startsAt) - Number(b.startsAt))
  const blocksOf = groupBy(blocks, ({ assetId }) => assetId)
  const assetsOf = groupBy(activeRows(stored.assets), ({ content }) => content.assetGroupId)
  const ratesOf = groupBy(activeRows(stored.rates), ({ content }) => content.assetGroupId)
  return {
    tenant: { slug, ...toFileFormat.tenant(stored.tenant.content) },
    assetGroups: activeRows(stored.groups).map(({ id, content }) => ({
      id,
      ...toFileFormat.groups(content),
      assets: assetsOf(id).map((asset) => ({
        ref: asset.content.ref,
        blocks: blocksOf(asset.id).map(describeBlock),
      })),
      rates: ratesOf(id).map((rate) => ({
        id: rate.id,
        ...toFileFormat.rates(rate.content, content.currency),
      })),
    })),
    extras: activeRows(stored.extras).map((extra) => ({
      id: extra.id,
      ...toFileFormat.extras(extra.content),
    })),
  }
}

/** Returns a fleet as a file, in which groups and extras without a currency follow the tenant. */
export function fileOf(slug: string, stored: StoredFleet) {
  const { tenant, assetGroups, extras } = fleetOf(slug, stored, toFileFormat.blocks)
  const ownCurrency = <Priced extends { readonly currency: string }>(priced: Priced) => {
    const { currency, ...others } = priced
    return currency === tenant.currency ? others : { ...others, currency }
  }
  return { tenant, assetGroups: assetGroups.map(ownCurrency), extras: extras.map(ownCurrency) }
}

/** Returns the rows that are not archived, sorted by `ref`. */
function activeRows<Content extends { readonly ref: string }>(rows: readonly Stored<Content>[]) {
  return rows
    .filter(({ archived }) => !archived)
    .toSorted((a, b) => a.content.ref.localeCompare(b.content.ref))
}
