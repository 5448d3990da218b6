-- A key is an identity with one or more secrets: a secret can be replaced, and bookings, quotes,
-- sessions, limits and idempotency records go on under the same id.
-- contract: the view below takes the name over for the release before
ALTER TABLE "api_keys" RENAME TO "api_key_identities";
--> statement-breakpoint
CREATE TABLE "api_key_secrets" (
	"tenant_id" uuid NOT NULL,
	"api_key_id" uuid NOT NULL,
	"key_hash" "bytea" NOT NULL,
	"prefix" text NOT NULL,
	"last4" text NOT NULL,
	"ends_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "api_key_secrets_tenant_id_api_key_id_key_hash_pk" PRIMARY KEY("tenant_id","api_key_id","key_hash"),
	CONSTRAINT "api_key_secrets_hash_unique" UNIQUE("key_hash"),
	CONSTRAINT "api_key_secrets_hash_check" CHECK (octet_length("api_key_secrets"."key_hash") = 32)
);
--> statement-breakpoint
ALTER TABLE "api_key_secrets" ADD CONSTRAINT "api_key_secrets_key_fk" FOREIGN KEY ("tenant_id","api_key_id") REFERENCES "public"."api_key_identities"("tenant_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
INSERT INTO "api_key_secrets" ("tenant_id", "api_key_id", "key_hash", "prefix", "last4", "created_at")
SELECT "tenant_id", "id", "key_hash", "prefix", "last4", "created_at" FROM "api_key_identities";
--> statement-breakpoint
-- contract: the release before reads the view, which has these columns from the secrets
ALTER TABLE "api_key_identities" DROP COLUMN "key_hash", DROP COLUMN "prefix", DROP COLUMN "last4";
--> statement-breakpoint
CREATE TRIGGER api_key_secrets_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON api_key_secrets
FOR EACH STATEMENT EXECUTE FUNCTION announce_access_change();
--> statement-breakpoint
-- What release 0.1 takes for its table of keys: a row for each secret, all under the identity's id, so
-- that replicas of both releases know the same callers. Nothing of this release reads it.
CREATE VIEW api_keys AS
SELECT k.tenant_id, k.id, k.name, s.key_hash, s.prefix, s.last4, k.scopes, k.origins, k.limits,
  k.expires_at, least(k.revoked_at, s.ends_at)::timestamptz(3) AS revoked_at, k.created_at
FROM api_key_identities k
JOIN api_key_secrets s ON s.tenant_id = k.tenant_id AND s.api_key_id = k.id;
--> statement-breakpoint
-- The commands of release 0.1 write to it, too.
CREATE FUNCTION write_api_key_of_old() RETURNS trigger LANGUAGE plpgsql AS $$
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
--> statement-breakpoint
CREATE TRIGGER api_keys_written INSTEAD OF INSERT OR UPDATE ON api_keys
FOR EACH ROW EXECUTE FUNCTION write_api_key_of_old();
