-- Servers keep keys and their tenants in memory for a while. Every change of either is announced
-- when it is committed, so that they read again; within a transaction once is enough.
CREATE OR REPLACE FUNCTION announce_access_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NOTIFY access_changed;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER api_keys_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON api_key_identities
FOR EACH STATEMENT EXECUTE FUNCTION announce_access_change();

-- Not when it was used last: that is written every minute, and nobody remembers it.
CREATE OR REPLACE TRIGGER api_key_secrets_changed AFTER INSERT OR DELETE OR TRUNCATE
OR UPDATE OF tenant_id, api_key_id, key_hash, prefix, last4, ends_at, created_at
ON api_key_secrets FOR EACH STATEMENT EXECUTE FUNCTION announce_access_change();

-- Of a tenant, only what a remembered key knows of it. A raised version of the catalog would make
-- every server read every key again after each import.
CREATE OR REPLACE TRIGGER tenants_changed AFTER INSERT OR DELETE OR TRUNCATE
OR UPDATE OF id, slug, name, timezone, status, subscription, online_booking
ON tenants FOR EACH STATEMENT EXECUTE FUNCTION announce_access_change();
