-- Redeems a quote into a pending booking. All rules for quote states and idempotency are here
-- (docs/contract.md). Each call is one statement, and so one transaction.
--
-- Must be VOLATILE: each statement then sees rows committed before it began, so the lookup after the
-- lock finds the record of an earlier concurrent request.
--
-- `p_details` has the details of the request by column (src/input/bookingDetails.ts), so that a new
-- detail does not change the signature.
--
-- `outcome` is ACCEPTED or an error code. The booking's columns are set for ACCEPTED only. They never
-- change, so a replay renders the same response from them and from its own details, which are equal.
CREATE OR REPLACE FUNCTION redeem_quote(
  p_tenant_id uuid,
  p_api_key_id uuid,
  p_session_id uuid,
  p_idempotency_key text,
  p_fingerprint bytea,
  p_quote_id uuid,
  p_details jsonb,
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
  -- Keep this variable: Citus rejects now() within CASE.
  v_now timestamptz := now();
BEGIN
  replayed := false;

  -- The lock ends with the transaction, also after a crash.
  IF NOT pg_try_advisory_xact_lock(hashtextextended(
    concat_ws('/', p_tenant_id, p_api_key_id, v_session_scope, p_idempotency_key), 0)) THEN
    outcome := 'REQUEST_IN_PROGRESS';
    RETURN;
  END IF;

  SELECT * INTO v_record FROM idempotency_records r
  WHERE r.tenant_id = p_tenant_id AND r.api_key_id = p_api_key_id
    AND r.session_scope = v_session_scope AND r.idempotency_key = p_idempotency_key;

  IF FOUND THEN
    -- An erased customer's record has no fingerprint to compare.
    IF v_record.fingerprint NOT IN ('', p_fingerprint) THEN
      outcome := 'IDEMPOTENCY_KEY_REUSED';
      RETURN;
    END IF;
    outcome := v_record.outcome;
    booking_id := v_record.booking_id;
    replayed := true;
  ELSE
    -- Concurrent requests for one quote wait here; the first updates the row, the others find none.
    -- CASE keeps the planner from scanning the index of unused quotes on outdated statistics.
    UPDATE quotes q SET used_at = v_now
    WHERE q.tenant_id = p_tenant_id AND q.id = p_quote_id AND q.api_key_id = p_api_key_id
      AND q.session_id IS NOT DISTINCT FROM p_session_id
      AND CASE WHEN q.used_at IS NULL THEN q.expires_at > v_now ELSE false END
    RETURNING * INTO v_quote;

    IF FOUND THEN
      outcome := 'ACCEPTED';
      INSERT INTO bookings (tenant_id, api_key_id, quote_id, asset_group_id, pickup_at, dropoff_at,
        total_minor, currency, customer_first_name, customer_last_name, customer_email,
        customer_phone, pickup_location, dropoff_location, notes, reference)
      VALUES (p_tenant_id, p_api_key_id, p_quote_id, v_quote.asset_group_id, v_quote.pickup_at,
        v_quote.dropoff_at, v_quote.total_minor, v_quote.currency, p_details->>'customer_first_name',
        p_details->>'customer_last_name', p_details->>'customer_email',
        p_details->>'customer_phone', p_details->>'pickup_location',
        p_details->>'dropoff_location', p_details->>'notes', p_details->>'reference')
      RETURNING id INTO booking_id;
    ELSE
      -- The quote cannot be redeemed. Return the error code. The order of these checks is part of
      -- the contract.
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
