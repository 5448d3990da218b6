#!/usr/bin/env bash
# Creates the database roles with least privilege and sets their passwords from the secrets.
# Idempotent. `roles.sh retire` also disables the API logins that no secret contains.
set -euo pipefail

user_of() { sed -E 's|^postgres://([^:]+):.*|\1|' "/run/secrets/$1"; }
password_of() { sed -E 's|^postgres://[^:]+:([^@]+)@.*|\1|' "/run/secrets/$1"; }

# On standard input, because every process of the machine can read arguments.
{
  for name in api:database_url owner:database_owner_url backup:database_backup_url; do
    printf "\\\\set %s_user '%s'\n\\\\set %s_password '%s'\n" \
      "${name%%:*}" "$(user_of "${name#*:}")" "${name%%:*}" "$(password_of "${name#*:}")"
  done
  printf "\\\\set monitor_user rental_monitor\n\\\\set monitor_password '%s'\n" "$(< /run/secrets/database_monitor_password)"
  printf '\\set retire %s\n' "$([ "${1:-}" = retire ] && echo true || echo false)"
  cat "$(dirname "$0")/roles.sql"
} | psql --username rental --dbname rental --no-psqlrc --quiet --tuples-only --set ON_ERROR_STOP=1
echo "roles: $(user_of database_url) for the API, $(user_of database_owner_url) for migrations"
