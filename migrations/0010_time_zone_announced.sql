-- A remembered key knows its tenant's time zone, too (it bounds ranges): a change of it is news.
CREATE OR REPLACE TRIGGER tenants_changed AFTER INSERT OR DELETE OR TRUNCATE
OR UPDATE OF id, slug, name, timezone, status, subscription, online_booking
ON tenants FOR EACH STATEMENT EXECUTE FUNCTION announce_access_change();
