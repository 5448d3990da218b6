-- The tenant's own part in a price raises its version, too.
CREATE OR REPLACE FUNCTION raise_own_catalog_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.catalog_version := OLD.catalog_version + 1;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER tenants_terms_changed
BEFORE UPDATE OF timezone, tax_percent, prices_include_tax, grace_period_minutes, min_lead_minutes, seasons
ON tenants FOR EACH ROW EXECUTE FUNCTION raise_own_catalog_version();
