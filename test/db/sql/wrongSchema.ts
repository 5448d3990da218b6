import type { WrongVersions } from './wrongSql.ts'

/** Wrong versions of the triggers, by name. */
export const wrongTriggers: Readonly<Record<string, WrongVersions>> = {
  rates_offered: {
    'raises the catalog version of the tenant, and of no other, with every change of the catalog': [
      ['not of updates', ['DELETE OR UPDATE', 'DELETE']],
      ['not of removals', ['DELETE OR UPDATE', 'UPDATE']],
    ],
  },
}

const raised = '= greatest(v.version + 1, excluded.version)'

/** Wrong versions of the functions that triggers call, by name. */
export const wrongFunctions: Readonly<Record<string, WrongVersions>> = {
  raise_version_of_catalog: {
    'raises the catalog version of the tenant, and of no other, with every change of the catalog': [
      ['by nothing', [raised, '= v.version']],
      ['once in a session', ['v_tenant_id::text, true)', 'v_tenant_id::text, false)']],
    ],
    'never reuses a catalog version, even after a restore': [
      ['by a count', [raised, '= v.version + 1']],
      ['from a count', ['(v_tenant_id, v_now)', '(v_tenant_id, 1)']],
    ],
    'raises the catalog version when the clock was set back': [
      ['by the clock alone', [raised, '= excluded.version']],
    ],
    'raises the version of each tenant changed in one transaction': [
      ['only the first tenant of it', ['IS DISTINCT FROM v_tenant_id::text', 'IS NULL']],
    ],
  },
  store_quotes: {
    'stores a quote unchanged, with an expiry by the database clock': [
      ['minutes for seconds', ['make_interval(secs =>', 'make_interval(mins =>']],
      ['of no session', ['q."sessionId", q', 'null, q']],
      ['inputs for breakdown', ['q.inputs, q.breakdown', 'q.breakdown, q.inputs']],
    ],
    'stores no quote priced by an outdated catalog': [
      ['it is', ['v_version IS DISTINCT FROM', 'v_version IS NULL AND v_version IS DISTINCT FROM']],
    ],
  },
}

export const wrongViews: Readonly<Record<string, WrongVersions>> = {
  catalogs: {
    'raises the catalog version of the tenant, and of no other, with every change of the catalog': [
      ['of no terms', ['t.tax_percent, t.prices', 't.prices']],
      ['not of the seasons', [', t.seasons) AS', ') AS']],
      ['not of the lead', ["COALESCE(t.min_lead_minutes, '-1'::integer), ", '']],
    ],
  },
}
