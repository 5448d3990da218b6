-- Stores the quotes whose catalog version is still current, and returns their IDs and expiry times.
-- Quotes expire by the database's clock, so their expiry is set by that clock, too.
--
-- In a distributed database this runs on the node of `p_tenant_id`, and all quotes of a call must
-- belong to that tenant (docs/scaling.md).
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
