-- Updates the version of a tenant's catalog, once per transaction. As a trigger, also covers rows
-- that are changed by hand. Replicas cache catalogs by version, and a quote is stored only if its
-- version is still current.
--
-- The version is a time in microseconds. Do not use a counter: after a restore it would repeat
-- versions that replicas have cached. `greatest` handles a clock that was set back.
CREATE OR REPLACE FUNCTION raise_version_of_catalog() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_tenant_id uuid := CASE TG_OP WHEN 'DELETE' THEN OLD.tenant_id ELSE NEW.tenant_id END;
  v_now bigint := extract(epoch FROM clock_timestamp()) * 1000000;
BEGIN
  IF current_setting('rental.raised_version_of', true) IS DISTINCT FROM v_tenant_id::text THEN
    INSERT INTO catalog_versions AS v (tenant_id, version) VALUES (v_tenant_id, v_now)
    ON CONFLICT (tenant_id) DO UPDATE SET version = greatest(v.version + 1, excluded.version);
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
