CREATE TABLE "api_key_secrets" (
	"tenant_id" uuid NOT NULL,
	"api_key_id" uuid NOT NULL,
	"key_hash" "bytea" NOT NULL,
	"prefix" text NOT NULL,
	"last4" text NOT NULL,
	"ends_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "api_key_secrets_tenant_id_api_key_id_key_hash_pk" PRIMARY KEY("tenant_id","api_key_id","key_hash"),
	CONSTRAINT "api_key_secrets_hash_unique" UNIQUE("key_hash"),
	CONSTRAINT "api_key_secrets_hash_check" CHECK (octet_length("api_key_secrets"."key_hash") = 32)
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"tenant_id" uuid NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"scopes" text[] NOT NULL,
	"origins" text[] NOT NULL,
	"browser_only" boolean DEFAULT false NOT NULL,
	"limits" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "api_keys_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "catalog_versions" (
	"tenant_id" uuid PRIMARY KEY NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tenants" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"timezone" text NOT NULL,
	"currency" text NOT NULL,
	"tax_percent" numeric(7, 4) NOT NULL,
	"prices_include_tax" boolean NOT NULL,
	"grace_period_minutes" integer NOT NULL,
	"min_lead_minutes" integer,
	"seasons" text DEFAULT 'per_day' NOT NULL,
	"pending_hold_hours" integer,
	"customer_retention_months" integer,
	"opening_hours" jsonb,
	"special_days" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"address" text,
	"facts" text[] DEFAULT '{}' NOT NULL,
	"translations" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"language" text DEFAULT 'en' NOT NULL,
	"fleet_state" integer DEFAULT 0 NOT NULL,
	"fleet_state_from" integer,
	"status" text DEFAULT 'active' NOT NULL,
	"subscription" text DEFAULT 'active' NOT NULL,
	"online_booking" boolean DEFAULT true NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tenants_slug_unique" UNIQUE("slug"),
	CONSTRAINT "tenants_currency_check" CHECK ("tenants"."currency" ~ '^[A-Z]{3}$'),
	CONSTRAINT "tenants_tax_percent_check" CHECK ("tenants"."tax_percent" between 0 and 100),
	CONSTRAINT "tenants_grace_check" CHECK ("tenants"."grace_period_minutes" between 0 and 1439),
	CONSTRAINT "tenants_lead_check" CHECK ("tenants"."min_lead_minutes" >= 0),
	CONSTRAINT "tenants_seasons_check" CHECK ("tenants"."seasons" in ('per_day', 'pickup')),
	CONSTRAINT "tenants_pending_hold_check" CHECK ("tenants"."pending_hold_hours" >= 1),
	CONSTRAINT "tenants_customer_retention_check" CHECK ("tenants"."customer_retention_months" >= 1),
	CONSTRAINT "tenants_status_check" CHECK ("tenants"."status" in ('active', 'suspended')),
	CONSTRAINT "tenants_subscription_check" CHECK ("tenants"."subscription" in ('active', 'past_due', 'cancelled'))
);
--> statement-breakpoint
CREATE TABLE "booking_events" (
	"tenant_id" uuid NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"booking_id" uuid NOT NULL,
	"from_status" text NOT NULL,
	"to_status" text NOT NULL,
	"actor" text NOT NULL,
	"reason" text,
	"message" text,
	"forced" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"feed_position" bigint,
	CONSTRAINT "booking_events_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "booking_feeds" (
	"tenant_id" uuid PRIMARY KEY NOT NULL,
	"position" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "bookings" (
	"tenant_id" uuid NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"api_key_id" uuid NOT NULL,
	"quote_id" uuid NOT NULL,
	"asset_group_id" uuid NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"pickup_at" timestamp (3) with time zone NOT NULL,
	"dropoff_at" timestamp (3) with time zone NOT NULL,
	"total_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"customer_first_name" text,
	"customer_last_name" text,
	"customer_email" text,
	"customer_phone" text,
	"pickup_location" text,
	"dropoff_location" text,
	"notes" text,
	"reference" text,
	"erased_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"feed_position" bigint,
	CONSTRAINT "bookings_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "bookings_quote_unique" UNIQUE("quote_id","tenant_id"),
	CONSTRAINT "bookings_period_check" CHECK ("bookings"."pickup_at" < "bookings"."dropoff_at"),
	CONSTRAINT "bookings_status_check" CHECK ("bookings"."status" in ('pending', 'confirmed', 'rejected', 'cancelled')),
	CONSTRAINT "bookings_customer_check" CHECK ("bookings"."erased_at" is not null or ("bookings"."customer_first_name" is not null and "bookings"."customer_last_name" is not null and "bookings"."customer_email" is not null))
);
--> statement-breakpoint
CREATE TABLE "idempotency_records" (
	"tenant_id" uuid NOT NULL,
	"api_key_id" uuid NOT NULL,
	"session_scope" text NOT NULL,
	"idempotency_key" text NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"outcome" text NOT NULL,
	"booking_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_records_tenant_id_api_key_id_session_scope_idempotency_key_pk" PRIMARY KEY("tenant_id","api_key_id","session_scope","idempotency_key"),
	CONSTRAINT "idempotency_records_outcome_check" CHECK (("idempotency_records"."outcome" = 'ACCEPTED') = ("idempotency_records"."booking_id" is not null) and "idempotency_records"."outcome" in ('ACCEPTED', 'QUOTE_NOT_FOUND', 'QUOTE_SESSION_MISMATCH', 'QUOTE_ALREADY_USED', 'QUOTE_EXPIRED'))
);
--> statement-breakpoint
CREATE TABLE "quotes" (
	"tenant_id" uuid NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"api_key_id" uuid NOT NULL,
	"session_id" uuid,
	"asset_group_id" uuid NOT NULL,
	"pickup_at" timestamp (3) with time zone NOT NULL,
	"dropoff_at" timestamp (3) with time zone NOT NULL,
	"total_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"inputs" jsonb NOT NULL,
	"breakdown" jsonb NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "quotes_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "quotes_period_check" CHECK ("quotes"."pickup_at" < "quotes"."dropoff_at"),
	CONSTRAINT "quotes_total_check" CHECK ("quotes"."total_minor" >= 0)
);
--> statement-breakpoint
CREATE TABLE "asset_blocks" (
	"tenant_id" uuid NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"asset_id" uuid NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"reason" text,
	"blocked_by" text,
	"archived_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "asset_blocks_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "asset_blocks_period_check" CHECK ("asset_blocks"."starts_at" < "asset_blocks"."ends_at")
);
--> statement-breakpoint
CREATE TABLE "asset_groups" (
	"tenant_id" uuid NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"ref" text NOT NULL,
	"name" text NOT NULL,
	"category" text NOT NULL,
	"description" text,
	"translations" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"image_url" text,
	"currency" text NOT NULL,
	"turnaround_minutes" integer NOT NULL,
	"archived_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "asset_groups_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "asset_groups_turnaround_check" CHECK ("asset_groups"."turnaround_minutes" between 0 and 43200),
	CONSTRAINT "asset_groups_currency_check" CHECK ("asset_groups"."currency" ~ '^[A-Z]{3}$')
);
--> statement-breakpoint
CREATE TABLE "assets" (
	"tenant_id" uuid NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"asset_group_id" uuid NOT NULL,
	"ref" text NOT NULL,
	"folded_ref" text NOT NULL,
	"archived_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "assets_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "extras" (
	"tenant_id" uuid NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"ref" text NOT NULL,
	"name" text NOT NULL,
	"category" text,
	"description" text,
	"translations" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"pricing" text NOT NULL,
	"currency" text NOT NULL,
	"price_minor" bigint NOT NULL,
	"max_price_minor" bigint,
	"archived_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "extras_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "extras_ref_unique" UNIQUE("tenant_id","ref"),
	CONSTRAINT "extras_pricing_check" CHECK ("extras"."pricing" in ('per_day', 'per_rental')),
	CONSTRAINT "extras_price_check" CHECK ("extras"."price_minor" >= 0),
	CONSTRAINT "extras_max_price_check" CHECK ("extras"."max_price_minor" >= 0),
	CONSTRAINT "extras_currency_check" CHECK ("extras"."currency" ~ '^[A-Z]{3}$')
);
--> statement-breakpoint
CREATE TABLE "rates" (
	"tenant_id" uuid NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"asset_group_id" uuid NOT NULL,
	"ref" text NOT NULL,
	"name" text NOT NULL,
	"translations" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"daily_minor" bigint NOT NULL,
	"hourly_minor" bigint,
	"weekly_minor" bigint,
	"monthly_minor" bigint,
	"min_days" integer,
	"valid_from" date,
	"valid_to" date,
	"archived_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "rates_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "rates_ref_unique" UNIQUE("tenant_id","asset_group_id","ref"),
	CONSTRAINT "rates_daily_check" CHECK ("rates"."daily_minor" > 0),
	CONSTRAINT "rates_hourly_check" CHECK ("rates"."hourly_minor" > 0),
	CONSTRAINT "rates_weekly_check" CHECK ("rates"."weekly_minor" > 0),
	CONSTRAINT "rates_monthly_check" CHECK ("rates"."monthly_minor" > 0),
	CONSTRAINT "rates_min_days_check" CHECK ("rates"."min_days" > 0),
	CONSTRAINT "rates_validity_check" CHECK ("rates"."valid_from" <= "rates"."valid_to")
);
--> statement-breakpoint
ALTER TABLE "api_key_secrets" ADD CONSTRAINT "api_key_secrets_tenant_id_api_key_id_api_keys_tenant_id_id_fk" FOREIGN KEY ("tenant_id","api_key_id") REFERENCES "public"."api_keys"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "catalog_versions" ADD CONSTRAINT "catalog_versions_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "booking_events" ADD CONSTRAINT "booking_events_tenant_id_booking_id_bookings_tenant_id_id_fk" FOREIGN KEY ("tenant_id","booking_id") REFERENCES "public"."bookings"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "booking_feeds" ADD CONSTRAINT "booking_feeds_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_tenant_id_quote_id_quotes_tenant_id_id_fk" FOREIGN KEY ("tenant_id","quote_id") REFERENCES "public"."quotes"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_tenant_id_api_key_id_api_keys_tenant_id_id_fk" FOREIGN KEY ("tenant_id","api_key_id") REFERENCES "public"."api_keys"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_tenant_id_asset_group_id_asset_groups_tenant_id_id_fk" FOREIGN KEY ("tenant_id","asset_group_id") REFERENCES "public"."asset_groups"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotency_records" ADD CONSTRAINT "idempotency_records_tenant_id_booking_id_bookings_tenant_id_id_fk" FOREIGN KEY ("tenant_id","booking_id") REFERENCES "public"."bookings"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_tenant_id_api_key_id_api_keys_tenant_id_id_fk" FOREIGN KEY ("tenant_id","api_key_id") REFERENCES "public"."api_keys"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_tenant_id_asset_group_id_asset_groups_tenant_id_id_fk" FOREIGN KEY ("tenant_id","asset_group_id") REFERENCES "public"."asset_groups"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "asset_blocks" ADD CONSTRAINT "asset_blocks_tenant_id_asset_id_assets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","asset_id") REFERENCES "public"."assets"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "asset_groups" ADD CONSTRAINT "asset_groups_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assets" ADD CONSTRAINT "assets_tenant_id_asset_group_id_asset_groups_tenant_id_id_fk" FOREIGN KEY ("tenant_id","asset_group_id") REFERENCES "public"."asset_groups"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "extras" ADD CONSTRAINT "extras_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rates" ADD CONSTRAINT "rates_tenant_id_asset_group_id_asset_groups_tenant_id_id_fk" FOREIGN KEY ("tenant_id","asset_group_id") REFERENCES "public"."asset_groups"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "booking_events_booking_idx" ON "booking_events" USING btree ("tenant_id","booking_id");--> statement-breakpoint
CREATE INDEX "booking_events_created_idx" ON "booking_events" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "booking_events_erased_idx" ON "booking_events" USING btree ("created_at") WHERE "booking_events"."from_status" = "booking_events"."to_status";--> statement-breakpoint
CREATE INDEX "booking_events_unread_idx" ON "booking_events" USING btree ("tenant_id","feed_position","created_at") WHERE "booking_events"."feed_position" is null and "booking_events"."from_status" <> "booking_events"."to_status";--> statement-breakpoint
CREATE INDEX "booking_events_words_idx" ON "booking_events" USING btree ("tenant_id","booking_id") WHERE coalesce("booking_events"."reason", "booking_events"."message") is not null and "booking_events"."from_status" <> "booking_events"."to_status";--> statement-breakpoint
CREATE UNIQUE INDEX "booking_events_feed_idx" ON "booking_events" USING btree ("tenant_id","feed_position") WHERE "booking_events"."feed_position" is not null;--> statement-breakpoint
CREATE INDEX "bookings_overlap_idx" ON "bookings" USING btree ("tenant_id","asset_group_id","dropoff_at","pickup_at","status","created_at") WHERE "bookings"."status" in ('pending', 'confirmed');--> statement-breakpoint
CREATE INDEX "bookings_unread_idx" ON "bookings" USING btree ("tenant_id","created_at") WHERE "bookings"."feed_position" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "bookings_feed_idx" ON "bookings" USING btree ("tenant_id","feed_position") WHERE "bookings"."feed_position" is not null;--> statement-breakpoint
CREATE INDEX "bookings_unerased_idx" ON "bookings" USING btree ("tenant_id","dropoff_at") WHERE "bookings"."erased_at" is null;--> statement-breakpoint
CREATE INDEX "idempotency_records_created_idx" ON "idempotency_records" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "quotes_unused_idx" ON "quotes" USING btree ("expires_at") WHERE "quotes"."used_at" is null;--> statement-breakpoint
CREATE INDEX "asset_blocks_asset_idx" ON "asset_blocks" USING btree ("tenant_id","asset_id");--> statement-breakpoint
CREATE UNIQUE INDEX "asset_groups_ref_unique" ON "asset_groups" USING btree ("tenant_id","ref") WHERE "asset_groups"."ref" >= '';--> statement-breakpoint
CREATE UNIQUE INDEX "assets_ref_unique" ON "assets" USING btree ("tenant_id","ref") WHERE "assets"."ref" >= '';--> statement-breakpoint
CREATE INDEX "assets_folded_ref_idx" ON "assets" USING btree ("tenant_id","folded_ref") WHERE "assets"."folded_ref" >= '';--> statement-breakpoint
CREATE INDEX "assets_group_idx" ON "assets" USING btree ("tenant_id","asset_group_id");--> statement-breakpoint
-- Rows of these tables are also found by what they belong to. The planner must not take the tenant
-- alone for selective: one tenant may have most of the rows. Counts from the next ANALYZE on.
ALTER TABLE "assets" ALTER COLUMN "tenant_id" SET (n_distinct = 100);--> statement-breakpoint
ALTER TABLE "asset_blocks" ALTER COLUMN "tenant_id" SET (n_distinct = 100);--> statement-breakpoint
ALTER TABLE "bookings" ALTER COLUMN "tenant_id" SET (n_distinct = 100);--> statement-breakpoint
ALTER TABLE "booking_events" ALTER COLUMN "tenant_id" SET (n_distinct = 100);
