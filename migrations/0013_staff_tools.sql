-- When a secret was last let in, who blocked a vehicle, and which tenants are there to try things on.
ALTER TABLE "api_key_secrets" ADD COLUMN "last_used_at" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "asset_blocks" ADD COLUMN "blocked_by" text;
--> statement-breakpoint
ALTER TABLE "tenants" ADD COLUMN "sandbox" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
-- Written every minute and remembered by nobody: no reason for every server to read its keys again.
CREATE OR REPLACE TRIGGER api_key_secrets_changed AFTER INSERT OR DELETE OR TRUNCATE
OR UPDATE OF tenant_id, api_key_id, key_hash, prefix, last4, ends_at, created_at
ON api_key_secrets FOR EACH STATEMENT EXECUTE FUNCTION announce_access_change();
