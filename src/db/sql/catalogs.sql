-- Returns a tenant's pricing terms and the version of its catalog. The version contains the terms, so
-- that every change of the tenant's row changes the version, also on other nodes.
CREATE OR REPLACE VIEW catalogs AS
SELECT t.id AS tenant_id,
  concat_ws('/', coalesce(v.version, 0), t.timezone, t.tax_percent, t.prices_include_tax,
    t.grace_period_minutes, coalesce(t.min_lead_minutes, -1), t.seasons, t.language,
    md5(concat(t.opening_hours, t.special_days))) AS version,
  t.timezone, t.tax_percent, t.prices_include_tax, t.grace_period_minutes, t.min_lead_minutes, t.seasons,
  t.language, t.opening_hours, t.special_days
FROM tenants t LEFT JOIN catalog_versions v ON v.tenant_id = t.id;
