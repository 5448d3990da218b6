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
    -- The customer was erased (decision 459): whoever repeats the request, nothing is known of it.
    IF v_record.fingerprint = '' THEN
      outcome := 'QUOTE_ALREADY_USED';
      RETURN;
    END IF;
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
