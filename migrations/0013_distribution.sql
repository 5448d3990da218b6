-- One schema for one machine and for many (docs/scaling.md). The version of a catalog gets a table and
-- triggers that also work where the rows of a tenant are elsewhere than its own. Those of before stay:
-- the release before reads by them.
CREATE TABLE "catalog_versions" (
	"tenant_id" uuid PRIMARY KEY NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "catalog_versions" ADD CONSTRAINT "catalog_versions_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
-- What a tenant offers has a version. Servers keep catalogs in memory by it, and a quote is stored
-- only if the version it was priced by is still the tenant's: a price can't rest on a rate card that
-- was changed before it. Whoever changes the rows, also by hand, these triggers see it, on one machine
-- and on each of many: the version is where the rows are. Once in a transaction is enough.
CREATE OR REPLACE FUNCTION raise_version_of_catalog() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_tenant_id uuid := CASE TG_OP WHEN 'DELETE' THEN OLD.tenant_id ELSE NEW.tenant_id END;
BEGIN
  IF current_setting('rental.raised_version_of', true) IS DISTINCT FROM v_tenant_id::text THEN
    INSERT INTO catalog_versions AS v (tenant_id) VALUES (v_tenant_id)
    ON CONFLICT (tenant_id) DO UPDATE SET version = v.version + 1;
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
--> statement-breakpoint
-- What prices come from besides groups, rates and extras, and the version of it all. The terms are in
-- the version as they are: they change with the tenant's row, wherever that has a copy, and whoever
-- changes it. So a catalog of another version is another catalog, and one of the same is the same.
CREATE OR REPLACE VIEW catalogs AS
SELECT t.id AS tenant_id,
  concat_ws('/', coalesce(v.version, 0), t.timezone, t.tax_percent, t.prices_include_tax,
    t.grace_period_minutes, coalesce(t.min_lead_minutes, -1), t.seasons) AS version,
  t.timezone, t.tax_percent, t.prices_include_tax, t.grace_period_minutes, t.min_lead_minutes, t.seasons
FROM tenants t LEFT JOIN catalog_versions v ON v.tenant_id = t.id;
--> statement-breakpoint
-- Stores offers that were priced by the version their tenant's catalog still has, and returns which
-- and until when; the others' prices may be of yesterday. Their time begins by this clock, the one
-- that ends it. It runs where `p_tenant_id` is, since it returns one row: there, all quotes of one
-- call are of that tenant (docs/scaling.md).
CREATE OR REPLACE FUNCTION store_quotes(
  p_tenant_id uuid,
  p_quotes jsonb,
  OUT ids uuid[],
  OUT ends timestamptz[]
) LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  q record;
  v_now timestamptz := now();
  v_tenant_id uuid;
  v_version text;
  v_expires_at timestamptz(3);
BEGIN
  FOR q IN SELECT * FROM jsonb_to_recordset(p_quotes) AS given (
    "tenantId" uuid, id uuid, "catalogVersion" text, "apiKeyId" uuid, "sessionId" uuid,
    "assetGroupId" uuid, "pickupAt" timestamptz, "dropoffAt" timestamptz, "totalMinor" bigint,
    currency text, inputs jsonb, breakdown jsonb, "ttlSeconds" int)
  LOOP
    IF v_tenant_id IS DISTINCT FROM q."tenantId" THEN
      v_tenant_id := q."tenantId";
      SELECT c.version INTO v_version FROM catalogs c WHERE c.tenant_id = v_tenant_id;
    END IF;
    CONTINUE WHEN v_version IS DISTINCT FROM q."catalogVersion";
    v_expires_at := v_now + make_interval(secs => q."ttlSeconds");
    INSERT INTO quotes (tenant_id, id, api_key_id, session_id, asset_group_id, pickup_at, dropoff_at,
      total_minor, currency, inputs, breakdown, expires_at, created_at)
    VALUES (q."tenantId", q.id, q."apiKeyId", q."sessionId", q."assetGroupId", q."pickupAt",
      q."dropoffAt", q."totalMinor", q.currency, q.inputs, q.breakdown, v_expires_at, v_now);
    ids := ids || q.id;
    ends := ends || v_expires_at;
  END LOOP;
END
$$;
--> statement-breakpoint
-- Redeems a quote into a pending booking: the single place where its states and the rules of
-- idempotency are kept (docs/decisions.md 23, 24 and 30 to 36). Called as one statement, so the call
-- is the transaction: either everything below is committed, or none of it happened.
--
-- VOLATILE matters: each statement inside then sees what others committed before it began, so the
-- look-up of a recorded answer, made after the lock was taken, can't miss a twin's answer.
--
-- `outcome` is ACCEPTED or the error code of the refusal. The booking's columns are set for
-- ACCEPTED only and never change afterwards: a replay renders the same answer from them.
CREATE OR REPLACE FUNCTION redeem_quote(
  p_tenant_id uuid,
  p_api_key_id uuid,
  p_session_id uuid,
  p_idempotency_key text,
  p_fingerprint bytea,
  p_quote_id uuid,
  p_customer_first_name text,
  p_customer_last_name text,
  p_customer_email text,
  p_customer_phone text,
  p_pickup_location text,
  p_dropoff_location text,
  p_notes text,
  OUT outcome text,
  OUT replayed boolean,
  OUT booking_id uuid,
  OUT asset_group_id uuid,
  OUT pickup_at timestamptz,
  OUT dropoff_at timestamptz,
  OUT total_minor bigint,
  OUT currency text,
  OUT created_at timestamptz
) LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
  v_session_scope text := coalesce(p_session_id::text, 'server');
  v_record idempotency_records;
  v_quote quotes;
  -- A variable: distributed databases take no such function within CASE.
  v_now timestamptz := now();
BEGIN
  replayed := false;

  -- Held until the transaction ends, however it ends: a crashed owner frees the key at once.
  IF NOT pg_try_advisory_xact_lock(hashtextextended(
    concat_ws('/', p_tenant_id, p_api_key_id, v_session_scope, p_idempotency_key), 0)) THEN
    outcome := 'REQUEST_IN_PROGRESS';
    RETURN;
  END IF;

  SELECT * INTO v_record FROM idempotency_records r
  WHERE r.tenant_id = p_tenant_id AND r.api_key_id = p_api_key_id
    AND r.session_scope = v_session_scope AND r.idempotency_key = p_idempotency_key;

  IF FOUND THEN
    IF v_record.fingerprint <> p_fingerprint THEN
      outcome := 'IDEMPOTENCY_KEY_REUSED';
      RETURN;
    END IF;
    outcome := v_record.outcome;
    booking_id := v_record.booking_id;
    replayed := true;
  ELSE
    -- Racers for the same quote wait here for the winner and then find no row left to update. CASE
    -- hides from the planner that the index of unused quotes could answer, too: with statistics from
    -- a quiet hour it looks empty, and every redemption of a busy one would read all of it.
    UPDATE quotes q SET used_at = v_now
    WHERE q.tenant_id = p_tenant_id AND q.id = p_quote_id AND q.api_key_id = p_api_key_id
      AND q.session_id IS NOT DISTINCT FROM p_session_id
      AND CASE WHEN q.used_at IS NULL THEN q.expires_at > v_now ELSE false END
    RETURNING * INTO v_quote;

    IF FOUND THEN
      outcome := 'ACCEPTED';
      INSERT INTO bookings (tenant_id, api_key_id, quote_id, asset_group_id, pickup_at, dropoff_at,
        total_minor, currency, customer_first_name, customer_last_name, customer_email,
        customer_phone, pickup_location, dropoff_location, notes)
      VALUES (p_tenant_id, p_api_key_id, p_quote_id, v_quote.asset_group_id, v_quote.pickup_at,
        v_quote.dropoff_at, v_quote.total_minor, v_quote.currency, p_customer_first_name,
        p_customer_last_name, p_customer_email, p_customer_phone, p_pickup_location,
        p_dropoff_location, p_notes)
      RETURNING id INTO booking_id;
    ELSE
      -- Why not: in the order of decision 24.
      SELECT * INTO v_quote FROM quotes q
      WHERE q.tenant_id = p_tenant_id AND q.id = p_quote_id AND q.api_key_id = p_api_key_id;
      outcome := CASE
        WHEN NOT FOUND THEN 'QUOTE_NOT_FOUND'
        WHEN v_quote.session_id IS DISTINCT FROM p_session_id THEN 'QUOTE_SESSION_MISMATCH'
        WHEN v_quote.used_at IS NOT NULL THEN 'QUOTE_ALREADY_USED'
        ELSE 'QUOTE_EXPIRED'
      END;
    END IF;

    INSERT INTO idempotency_records (tenant_id, api_key_id, session_scope, idempotency_key,
      fingerprint, outcome, booking_id)
    VALUES (p_tenant_id, p_api_key_id, v_session_scope, p_idempotency_key, p_fingerprint, outcome,
      booking_id);
  END IF;

  IF booking_id IS NOT NULL THEN
    SELECT b.asset_group_id, b.pickup_at, b.dropoff_at, b.total_minor, b.currency, b.created_at
    INTO asset_group_id, pickup_at, dropoff_at, total_minor, currency, created_at
    FROM bookings b WHERE b.tenant_id = p_tenant_id AND b.id = booking_id;
  END IF;
END
$$;
