-- What a tenant offers has a version. Servers keep catalogs in memory by it, and a quote is stored
-- only if the version it was priced by is still the tenant's: a price can't rest on a rate card that
-- was changed before it. Whoever changes the rows, also by hand, these triggers see it, on one machine
-- and on each of many: the version is where the rows are. Once in a transaction is enough.
-- It is a time, in microseconds: a count would begin anew from where a restore put it, and soon name
-- another catalog than the one that servers remember by it (decision 346).
CREATE OR REPLACE FUNCTION raise_version_of_catalog() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_tenant_id uuid := CASE TG_OP WHEN 'DELETE' THEN OLD.tenant_id ELSE NEW.tenant_id END;
  v_now bigint := extract(epoch FROM clock_timestamp()) * 1000000;
BEGIN
  IF current_setting('rental.raised_version_of', true) IS DISTINCT FROM v_tenant_id::text THEN
    INSERT INTO catalog_versions (tenant_id, version) VALUES (v_tenant_id, v_now)
    ON CONFLICT (tenant_id) DO UPDATE SET version = excluded.version;
    PERFORM set_config('rental.raised_version_of', v_tenant_id::text, true);
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER asset_groups_offered AFTER INSERT OR UPDATE OR DELETE ON asset_groups
FOR EACH ROW EXECUTE FUNCTION raise_version_of_catalog();

CREATE OR REPLACE TRIGGER rates_offered AFTER INSERT OR UPDATE OR DELETE ON rates
FOR EACH ROW EXECUTE FUNCTION raise_version_of_catalog();

CREATE OR REPLACE TRIGGER extras_offered AFTER INSERT OR UPDATE OR DELETE ON extras
FOR EACH ROW EXECUTE FUNCTION raise_version_of_catalog();
