-- What prices come from besides groups, rates and extras, and the version of it all. The terms are in
-- the version as they are: they change with the tenant's row, wherever that has a copy, and whoever
-- changes it. So a catalog of another version is another catalog, and one of the same is the same.
CREATE OR REPLACE VIEW catalogs AS
SELECT t.id AS tenant_id,
  concat_ws('/', coalesce(v.version, 0), t.timezone, t.tax_percent, t.prices_include_tax,
    t.grace_period_minutes, coalesce(t.min_lead_minutes, -1), t.seasons) AS version,
  t.timezone, t.tax_percent, t.prices_include_tax, t.grace_period_minutes, t.min_lead_minutes, t.seasons
FROM tenants t LEFT JOIN catalog_versions v ON v.tenant_id = t.id;
