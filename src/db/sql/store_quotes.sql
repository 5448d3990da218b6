-- Stores the quotes of a tenant whose catalog version is still current, and returns their IDs and
-- expiry times. Quotes expire by the database's clock, so their expiry is set by that clock, too.
-- In a distributed database this runs on the node of the tenant (docs/scaling.md).
CREATE OR REPLACE FUNCTION store_quotes(
  p_tenant_id uuid,
  p_quotes jsonb,
  OUT ids uuid[],
  OUT ends timestamptz[]
) LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  q record;
  v_now timestamptz := now();
  v_version text := (SELECT c.version FROM catalogs c WHERE c.tenant_id = p_tenant_id);
  v_expires_at timestamptz(3);
BEGIN
  FOR q IN SELECT * FROM jsonb_to_recordset(p_quotes) AS given (
    id uuid, "catalogVersion" text, "apiKeyId" uuid, "sessionId" uuid,
    "assetGroupId" uuid, "pickupAt" timestamptz, "dropoffAt" timestamptz, "totalMinor" bigint,
    currency text, inputs jsonb, breakdown jsonb, "ttlSeconds" int)
  LOOP
    CONTINUE WHEN v_version IS DISTINCT FROM q."catalogVersion";
    v_expires_at := v_now + make_interval(secs => q."ttlSeconds");
    INSERT INTO quotes (tenant_id, id, api_key_id, session_id, asset_group_id, pickup_at, dropoff_at,
      total_minor, currency, inputs, breakdown, expires_at, created_at)
    VALUES (p_tenant_id, q.id, q."apiKeyId", q."sessionId", q."assetGroupId", q."pickupAt",
      q."dropoffAt", q."totalMinor", q.currency, q.inputs, q.breakdown, v_expires_at, v_now);
    ids := ids || q.id;
    ends := ends || v_expires_at;
  END LOOP;
END
$$;
