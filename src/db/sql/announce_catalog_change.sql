-- Servers that keep a catalog in memory hear which tenant has another one now.
CREATE OR REPLACE FUNCTION announce_catalog_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('catalog_changed', NEW.id::text);
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER tenants_catalog_changed AFTER UPDATE ON tenants FOR EACH ROW
WHEN (OLD.catalog_version IS DISTINCT FROM NEW.catalog_version)
EXECUTE FUNCTION announce_catalog_change();
