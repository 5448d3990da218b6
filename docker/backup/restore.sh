#!/usr/bin/env bash
# A database server as it was at the moment RESTORE_TO, on a volume of its own: the newest base
# backup before it, and the write-ahead log up to it. It never touches the one that serves.
set -euo pipefail
if [ ! -e "$PGDATA/PG_VERSION" ]; then
  moment=$(date -d "${RESTORE_TO:?set RESTORE_TO to a moment, such as 2027-01-31T12:30:00Z}" +%s)
  base=
  for name in $(find /backups/base -mindepth 1 -maxdepth 1 -name '[0-9]*' -printf '%f\n' | sort -n); do
    if [ "$name" -le "$moment" ]; then base=$name; fi
  done
  [ -n "$base" ] || { echo "No base backup is older than $RESTORE_TO" >&2; exit 1; }
  tar -xzf "/backups/base/$base/base.tar.gz" -C "$PGDATA"
  chmod 700 "$PGDATA"
  # Of each part the whole one before the one that was still being received.
  log=/backups/wal/$(pg_controldata "$PGDATA" | sed -nE 's/^Database system identifier: +//p')-*
  cat >> "$PGDATA/postgresql.auto.conf" << SETTINGS
restore_command = 'f=\$(ls $log/%f $log/%f.partial 2> /dev/null | head -1) && [ -n "\$f" ] && cp "\$f" %p'
recovery_target_time = '$(date -u -d "$RESTORE_TO" '+%F %T.%6N+00')'
recovery_target_action = 'promote'
SETTINGS
  touch "$PGDATA/recovery.signal"
  echo "restoring the base backup of $(date -u -d "@$base" +%FT%TZ) to $RESTORE_TO"
fi
exec postgres -c hba_file=/docker/postgres/pg_hba.conf
