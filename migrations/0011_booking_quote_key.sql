-- outside a transaction: quotes are booked meanwhile
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "bookings_quote_key" ON "bookings" USING btree ("quote_id","tenant_id");
