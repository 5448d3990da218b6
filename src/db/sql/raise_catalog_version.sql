-- What a tenant offers and how it is priced has a version. Servers keep catalogs in memory by it,
-- and a quote is stored only if the version it was priced by is still the tenant's: a price can't
-- rest on a rate card that was changed before it. Whatever changes the rows, these triggers see it.
CREATE OR REPLACE FUNCTION raise_catalog_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE tenants SET catalog_version = catalog_version + 1
  WHERE id IN (SELECT tenant_id FROM changed);
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER asset_groups_inserted AFTER INSERT ON asset_groups
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_catalog_version();

CREATE OR REPLACE TRIGGER asset_groups_updated AFTER UPDATE ON asset_groups
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_catalog_version();

CREATE OR REPLACE TRIGGER asset_groups_deleted AFTER DELETE ON asset_groups
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_catalog_version();

CREATE OR REPLACE TRIGGER rates_inserted AFTER INSERT ON rates
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_catalog_version();

CREATE OR REPLACE TRIGGER rates_updated AFTER UPDATE ON rates
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_catalog_version();

CREATE OR REPLACE TRIGGER rates_deleted AFTER DELETE ON rates
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_catalog_version();

CREATE OR REPLACE TRIGGER extras_inserted AFTER INSERT ON extras
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_catalog_version();

CREATE OR REPLACE TRIGGER extras_updated AFTER UPDATE ON extras
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_catalog_version();

CREATE OR REPLACE TRIGGER extras_deleted AFTER DELETE ON extras
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_catalog_version();
