ALTER TABLE "tenants" ADD COLUMN "seasons" text DEFAULT 'per_day' NOT NULL;
--> statement-breakpoint
ALTER TABLE "tenants" ADD COLUMN "pending_hold_hours" integer;
--> statement-breakpoint
ALTER TABLE "tenants" ADD CONSTRAINT "tenants_seasons_check" CHECK ("tenants"."seasons" in ('per_day', 'pickup')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "tenants" VALIDATE CONSTRAINT "tenants_seasons_check";
--> statement-breakpoint
ALTER TABLE "tenants" ADD CONSTRAINT "tenants_pending_hold_check" CHECK ("tenants"."pending_hold_hours" >= 1) NOT VALID;
--> statement-breakpoint
ALTER TABLE "tenants" VALIDATE CONSTRAINT "tenants_pending_hold_check";
--> statement-breakpoint
-- As in 0005, and the seasons: they are part of a price, too.
CREATE OR REPLACE TRIGGER tenants_terms_changed
BEFORE UPDATE OF timezone, tax_percent, prices_include_tax, grace_period_minutes, min_lead_minutes, seasons
ON tenants FOR EACH ROW EXECUTE FUNCTION raise_own_catalog_version();
