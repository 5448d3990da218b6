# Sourced: logs in as the role of backups. Not with arguments, because they are visible in the process list.
PGPASSWORD=$(sed -E 's|.*:([^:@]+)@.*|\1|' /run/secrets/database_backup_url)
export PGPASSWORD PGUSER=rental_backup PGHOST=postgres PGDATABASE=rental PGCONNECT_TIMEOUT=5 TZ=UTC LC_ALL=C
