import type { WrongVersions } from './wrongSql.ts'

/** Wrong versions of the triggers, by name. */
export const wrongTriggers: Readonly<Record<string, WrongVersions>> = {
  rates_offered: {
    'raises the catalog version of the changed tenant, and of no other, on every change of its catalog':
      [
        ['ignores updates', ['DELETE OR UPDATE', 'DELETE']],
        ['ignores deletions', ['DELETE OR UPDATE', 'UPDATE']],
      ],
  },
}

const raised = '= greatest(v.version + 1, excluded.version)'

/** Wrong versions of the functions that triggers call, by name. */
export const wrongFunctions: Readonly<Record<string, WrongVersions>> = {
  raise_version_of_catalog: {
    'raises the catalog version of the changed tenant, and of no other, on every change of its catalog':
      [
        ['leaves the version unchanged', [raised, '= v.version']],
        [
          'raises the version once a session instead of once a transaction',
          ['v_tenant_id::text, true)', 'v_tenant_id::text, false)'],
        ],
      ],
    'never reuses a catalog version, even after a restore': [
      ['raises the version by 1 instead of to the current time', [raised, '= v.version + 1']],
      [
        'starts the version at 1 instead of the current time',
        ['(v_tenant_id, v_now)', '(v_tenant_id, 1)'],
      ],
    ],
    'raises the catalog version when the clock was set back': [
      [
        'sets the version to the current time, even when that is lower',
        [raised, '= excluded.version'],
      ],
    ],
    'raises the version of each tenant changed in one transaction': [
      [
        'raises the version of only the first tenant in a transaction',
        ['IS DISTINCT FROM v_tenant_id::text', 'IS NULL'],
      ],
    ],
  },
  store_quotes: {
    'stores a quote unchanged, with an expiry by the database clock': [
      [
        'reads the lifetime as minutes instead of seconds',
        ['make_interval(secs =>', 'make_interval(mins =>'],
      ],
      ['stores no session', ['q."sessionId", q', 'null, q']],
      ['swaps inputs and breakdown', ['q.inputs, q.breakdown', 'q.breakdown, q.inputs']],
    ],
    'stores no quote priced by an outdated catalog': [
      [
        'compares the version only when the tenant has none',
        ['v_version IS DISTINCT FROM', 'v_version IS NULL AND v_version IS DISTINCT FROM'],
      ],
    ],
  },
}

export const wrongViews: Readonly<Record<string, WrongVersions>> = {
  catalogs: {
    'raises the catalog version of the changed tenant, and of no other, on every change of its catalog':
      [
        ['omits the tax from the version', ['t.tax_percent, t.prices', 't.prices']],
        ['omits the seasons from the version', [', t.seasons, t.language,', ', t.language,']],
        ['omits the language from the version', [', t.language, md5', ', md5']],
        [
          'omits the hours from the version',
          [', md5(concat(t.opening_hours, t.special_days))', ''],
        ],
        [
          'omits the special days from the version',
          ['concat(t.opening_hours, t.special_days)', 't.opening_hours::text'],
        ],
        [
          'omits the lead time from the version',
          ["COALESCE(t.min_lead_minutes, '-1'::integer), ", ''],
        ],
      ],
  },
}
