import type { WrongVersions } from './wrongSql.ts'

/** Wrong versions of the triggers, by name. */
export const wrongTriggers: Readonly<Record<string, WrongVersions>> = {
  rates_offered: {
    "every change of an offer raises its tenant's version, and no other's": [
      ['not of updates', ['DELETE OR UPDATE', 'DELETE']],
      ['not of removals', ['DELETE OR UPDATE', 'UPDATE']],
    ],
  },
}

const raised = '= greatest(v.version + 1, excluded.version)'

/** Wrong versions of the functions that triggers call, by name. */
export const wrongFunctions: Readonly<Record<string, WrongVersions>> = {
  raise_version_of_catalog: {
    "every change of an offer raises its tenant's version, and no other's": [
      ['by nothing', [raised, '= v.version']],
      ['once in a session', ['v_tenant_id::text, true)', 'v_tenant_id::text, false)']],
    ],
    'a version is never that of an earlier offer, also after a restore': [
      ['by a count', [raised, '= v.version + 1']],
      ['from a count', ['(v_tenant_id, v_now)', '(v_tenant_id, 1)']],
    ],
    'a version rises, though the clock was set back': [
      ['by the clock alone', [raised, '= excluded.version']],
    ],
    'two changes of one transaction raise the version for others to see, and no third is lost': [
      ['only the first tenant of it', ['IS DISTINCT FROM v_tenant_id::text', 'IS NULL']],
    ],
  },
  store_quotes: {
    'a quote is stored as it was made, for its time by the clock of the database': [
      ['minutes for seconds', ['make_interval(secs =>', 'make_interval(mins =>']],
      ['of no session', ['q."sessionId", q', 'null, q']],
      ['inputs for breakdown', ['q.inputs, q.breakdown', 'q.breakdown, q.inputs']],
    ],
    'a quote priced by an outdated catalog is not stored': [
      ['it is', ['v_version IS DISTINCT FROM', 'v_version IS NULL AND v_version IS DISTINCT FROM']],
    ],
  },
}

export const wrongViews: Readonly<Record<string, WrongVersions>> = {
  catalogs: {
    "every change of an offer raises its tenant's version, and no other's": [
      ['of no terms', ['t.tax_percent, t.prices', 't.prices']],
      ['not of the seasons', [', t.seasons) AS', ') AS']],
      ['not of the lead', ["COALESCE(t.min_lead_minutes, '-1'::integer), ", '']],
    ],
  },
}
