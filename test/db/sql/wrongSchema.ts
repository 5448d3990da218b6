import type { WrongVersions } from './wrongSql.ts'

/** Of the triggers, by name; a change of nothing but its event or table is a new definition. */
export const wrongTriggers: Readonly<Record<string, WrongVersions>> = {
  api_keys_changed: {
    'every change of who may call is announced': [['not of updates', [' OR UPDATE', '']]],
  },
  api_key_secrets_changed: {
    'every change of who may call is announced': [['not of deletions', ['DELETE OR ', '']]],
  },
  tenants_changed: {
    'every change of who may call is announced': [
      ['not of suspensions', [' status,', '']],
      ['not of the module', [', online_booking', '']],
      ['not of the zone', [' timezone,', '']],
    ],
    'every change of an offer is announced by its tenant, and is no news about who may call': [
      ['of prices, too', [', online_booking', ', online_booking, catalog_version']],
    ],
  },
  tenants_terms_changed: {
    "every change of an offer raises its tenant's version, and no other's": [
      ['not of the seasons', [', seasons', '']],
      ['not of the tax', [' tax_percent,', '']],
    ],
    'a suspension leaves the prices as they are: no quote is refused for it': [
      ['of the status, too', [', seasons', ', seasons, status']],
    ],
  },
  rates_offered: {
    "every change of an offer raises its tenant's version, and no other's": [
      ['not of updates', ['DELETE OR UPDATE', 'DELETE']],
      ['not of removals', ['DELETE OR UPDATE', 'UPDATE']],
    ],
  },
  rates_updated: {
    "every change of an offer raises its tenant's version, and no other's": [
      ['not of updates', ['AFTER UPDATE', 'AFTER INSERT']],
    ],
  },
  extras_deleted: {
    "every change of an offer raises its tenant's version, and no other's": [
      ['not of deletions', ['AFTER DELETE', 'AFTER UPDATE']],
    ],
  },
  tenants_catalog_changed: {
    'every change of an offer is announced by its tenant, and is no news about who may call': [
      ['never', ['IS DISTINCT FROM', 'IS NOT DISTINCT FROM']],
    ],
  },
}

/** Of the functions that triggers call. */
const raised = '= greatest(v.version + 1, excluded.version)'

export const wrongFunctions: Readonly<Record<string, WrongVersions>> = {
  announce_access_change: {
    'every change of who may call is announced': [
      ['by another name', ['access_changed', 'accesschanged']],
    ],
  },
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
  raise_catalog_version: {
    "every change of an offer raises its tenant's version, and no other's": [
      ["everybody's", ['id IN (SELECT tenant_id FROM changed)', 'true']],
      ['by nothing', ['catalog_version + 1', 'catalog_version']],
    ],
  },
  raise_own_catalog_version: {
    "every change of an offer raises its tenant's version, and no other's": [
      ['to what it was', ['OLD.catalog_version + 1', 'OLD.catalog_version']],
    ],
  },
  announce_catalog_change: {
    'every change of an offer is announced by its tenant, and is no news about who may call': [
      ['of nobody', ['NEW.id::text', "''"]],
    ],
  },
  write_api_key_of_old: {
    'a key that the release before makes is one of this release': [
      ['without its scopes', ['NEW.name, NEW.scopes,', "NEW.name, '{}',"]],
      ['ended at once', ['NEW.revoked_at, NEW.created_at);', 'now(), NEW.created_at);']],
    ],
    'what the release before changes of a key is changed, and the end of a secret is not for the key':
      [
        ['not its limits', ['limits = NEW.limits, ', '']],
        ['not its end', ['expires_at = NEW.expires_at,', '']],
        [
          'the end of a secret is',
          ['WHEN NEW.revoked_at IS DISTINCT FROM OLD.revoked_at', 'WHEN true'],
        ],
      ],
    'a key that the release before revokes is revoked, and no other': [
      ['it is not', ['THEN NEW.revoked_at', 'THEN k.revoked_at']],
      ["all of the tenant's are", ['AND k.id = OLD.id', '']],
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
  api_keys: {
    'the release before sees the same end of a secret': [
      ["only the key's", ['LEAST(k.revoked_at, s.ends_at)', 'k.revoked_at']],
      ["only the secret's", ['LEAST(k.revoked_at, s.ends_at)', 's.ends_at']],
      ['the later one', ['LEAST', 'GREATEST']],
    ],
  },
}
