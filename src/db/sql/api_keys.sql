-- What release 0.1 takes for its table of keys: a row for each secret, all under the identity's id, so
-- that replicas of both releases know the same callers. Nothing of this release reads it.
CREATE OR REPLACE VIEW api_keys AS
SELECT k.tenant_id, k.id, k.name, s.key_hash, s.prefix, s.last4, k.scopes, k.origins, k.limits,
  k.expires_at, least(k.revoked_at, s.ends_at)::timestamptz(3) AS revoked_at, k.created_at
FROM api_key_identities k
JOIN api_key_secrets s ON s.tenant_id = k.tenant_id AND s.api_key_id = k.id;

-- The commands of release 0.1 write to it, too.
CREATE OR REPLACE FUNCTION write_api_key_of_old() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    NEW.id := coalesce(NEW.id, gen_random_uuid());
    NEW.limits := coalesce(NEW.limits, '{}');
    NEW.created_at := coalesce(NEW.created_at, now());
    INSERT INTO api_key_identities (tenant_id, id, name, scopes, origins, limits, expires_at, revoked_at, created_at)
    VALUES (NEW.tenant_id, NEW.id, NEW.name, NEW.scopes, NEW.origins, NEW.limits, NEW.expires_at,
      NEW.revoked_at, NEW.created_at);
    INSERT INTO api_key_secrets (tenant_id, api_key_id, key_hash, prefix, last4, created_at)
    VALUES (NEW.tenant_id, NEW.id, NEW.key_hash, NEW.prefix, NEW.last4, NEW.created_at);
  ELSE
    UPDATE api_key_identities k SET name = NEW.name, scopes = NEW.scopes, origins = NEW.origins,
      limits = NEW.limits, expires_at = NEW.expires_at,
      -- The view's moment may be the end of one secret: only a new one is meant for the key.
      revoked_at = CASE WHEN NEW.revoked_at IS DISTINCT FROM OLD.revoked_at THEN NEW.revoked_at
        ELSE k.revoked_at END
    WHERE k.tenant_id = OLD.tenant_id AND k.id = OLD.id;
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER api_keys_written INSTEAD OF INSERT OR UPDATE ON api_keys
FOR EACH ROW EXECUTE FUNCTION write_api_key_of_old();
