-- What a tenant offers and how it is priced has a version. Servers keep catalogs in memory by it,
-- and a quote is stored only if the version it was priced by is still the tenant's: a price can't
-- rest on a rate card that was changed before it. Whatever changes the rows, these triggers see it.
ALTER TABLE "tenants" ADD COLUMN "catalog_version" bigint DEFAULT 1 NOT NULL;
--> statement-breakpoint
CREATE FUNCTION raise_catalog_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE tenants SET catalog_version = catalog_version + 1
  WHERE id IN (SELECT tenant_id FROM changed);
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER asset_groups_inserted AFTER INSERT ON asset_groups
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_catalog_version();
--> statement-breakpoint
CREATE TRIGGER asset_groups_updated AFTER UPDATE ON asset_groups
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_catalog_version();
--> statement-breakpoint
CREATE TRIGGER asset_groups_deleted AFTER DELETE ON asset_groups
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_catalog_version();
--> statement-breakpoint
CREATE TRIGGER rates_inserted AFTER INSERT ON rates
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_catalog_version();
--> statement-breakpoint
CREATE TRIGGER rates_updated AFTER UPDATE ON rates
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_catalog_version();
--> statement-breakpoint
CREATE TRIGGER rates_deleted AFTER DELETE ON rates
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_catalog_version();
--> statement-breakpoint
CREATE TRIGGER extras_inserted AFTER INSERT ON extras
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_catalog_version();
--> statement-breakpoint
CREATE TRIGGER extras_updated AFTER UPDATE ON extras
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_catalog_version();
--> statement-breakpoint
CREATE TRIGGER extras_deleted AFTER DELETE ON extras
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_catalog_version();
--> statement-breakpoint
CREATE FUNCTION raise_own_catalog_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.catalog_version := OLD.catalog_version + 1;
  RETURN NEW;
END
$$;
--> statement-breakpoint
-- The tenant's own part in a price.
CREATE TRIGGER tenants_terms_changed
BEFORE UPDATE OF timezone, tax_percent, prices_include_tax, grace_period_minutes, min_lead_minutes
ON tenants FOR EACH ROW EXECUTE FUNCTION raise_own_catalog_version();
--> statement-breakpoint
CREATE FUNCTION announce_catalog_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('catalog_changed', NEW.id::text);
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER tenants_catalog_changed AFTER UPDATE ON tenants FOR EACH ROW
WHEN (OLD.catalog_version IS DISTINCT FROM NEW.catalog_version)
EXECUTE FUNCTION announce_catalog_change();
--> statement-breakpoint
-- As before, but a raised version is no news about who may call: it would make every server read
-- every key again after each import.
CREATE OR REPLACE TRIGGER tenants_changed AFTER INSERT OR DELETE OR TRUNCATE
OR UPDATE OF id, slug, name, status, subscription, online_booking
ON tenants FOR EACH STATEMENT EXECUTE FUNCTION announce_access_change();
