-- The order in which bookings that were made and decided are told, found and kept by those who watch.
CREATE TABLE "booking_feed_entries" (
	"tenant_id" uuid NOT NULL,
	"position" bigint NOT NULL,
	"booking_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "booking_feed_entries_tenant_id_position_pk" PRIMARY KEY("tenant_id","position"),
	CONSTRAINT "booking_feed_entries_event_unique" UNIQUE("event_id","tenant_id")
);
--> statement-breakpoint
CREATE TABLE "booking_feeds" (
	"tenant_id" uuid PRIMARY KEY NOT NULL,
	"position" bigint DEFAULT 0 NOT NULL,
	"settled_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "booking_feed_entries" ADD CONSTRAINT "booking_feed_entries_booking_fk" FOREIGN KEY ("tenant_id","booking_id") REFERENCES "public"."bookings"("tenant_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "booking_feeds" ADD CONSTRAINT "booking_feeds_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "booking_feed_entries_occurred_idx" ON "booking_feed_entries" USING btree ("occurred_at");
