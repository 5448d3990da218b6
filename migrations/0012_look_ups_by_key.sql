-- A row is looked up by (tenant_id, id), and only the primary key may begin like that: while a table is
-- small, or was when it was analysed, another index looks as cheap, and then all rows of the tenant are
-- read for each look-up, foreign keys' own included.
-- contract: no release reads by it
DROP INDEX "bookings_created_idx";
--> statement-breakpoint
-- contract: the index of the migration before holds the same
ALTER TABLE "bookings" DROP CONSTRAINT "bookings_quote_unique";
--> statement-breakpoint
-- contract: of the index that is there already
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_quote_unique" UNIQUE USING INDEX "bookings_quote_key";
--> statement-breakpoint
-- contract: the new index holds the same
ALTER TABLE "asset_groups" DROP CONSTRAINT "asset_groups_ref_unique";
--> statement-breakpoint
-- contract: built in a moment, since a tenant has few groups.
-- True of every ref, but the planner can't know: nothing is looked up by this index.
CREATE UNIQUE INDEX "asset_groups_ref_unique" ON "asset_groups" USING btree ("tenant_id","ref") WHERE "asset_groups"."ref" >= '';
--> statement-breakpoint
-- Where rows are also found by what they belong to, the tenant alone must never look selective enough,
-- however many tenants there are: there may be one that has most of the rows. Counts from the next
-- ANALYZE on, which autovacuum does by itself.
ALTER TABLE "assets" ALTER COLUMN "tenant_id" SET (n_distinct = 100);
--> statement-breakpoint
ALTER TABLE "asset_blocks" ALTER COLUMN "tenant_id" SET (n_distinct = 100);
--> statement-breakpoint
ALTER TABLE "bookings" ALTER COLUMN "tenant_id" SET (n_distinct = 100);
--> statement-breakpoint
ALTER TABLE "booking_events" ALTER COLUMN "tenant_id" SET (n_distinct = 100);
