#!/usr/bin/env bash
# A database server as it was at the moment RESTORE_TO, on a volume of its own: the newest base
# backup before it of the server and timeline that served then, and their write-ahead log up to it.
# It never touches the one that serves.
set -euo pipefail
moment=$(date -d "${RESTORE_TO:?set RESTORE_TO to a moment, such as 2027-01-31T12:30:00Z}" +%s)
target="recovery_target_time = '$(date -u -d "$RESTORE_TO" '+%F %T.%6N+00')'"
if [ -e "$PGDATA/PG_VERSION" ]; then
  # Anything else is not what was asked for: it may have served, or was cut off while it was copied.
  [ "$(tail -n 1 "$PGDATA/postgresql.auto.conf")" = "$target" ] \
    || { echo "This volume does not hold what was at $RESTORE_TO: remove it, or name another one (RESTORE_VOLUME)" >&2; exit 1; }
else
  base=
  for name in $(find /backups/base -mindepth 1 -maxdepth 1 -name '[0-9]*' -printf '%f\n' | sort -n); do
    read -r id first < "/backups/base/$name/start" || continue
    # Whoever served at that moment wrote log since then; others stopped before it.
    if [ "$name" -le "$moment" ] && log=/backups/wal/$id-$((16#${first:0:8})) && [ -d "$log" ] \
      && [ -n "$(find "$log" -type f -newermt "@$moment" -print -quit)" ]; then base=$name; fi
  done
  [ -n "$base" ] || { echo "No base backup is older than $RESTORE_TO and has its log until then" >&2; exit 1; }
  tar -xzf "/backups/base/$base/base.tar.gz" -C "$PGDATA"
  chmod 700 "$PGDATA"
  # On the base backup's own timeline: a restore since then began another one, which others follow.
  # Of each part the whole one before the one that was still being received.
  log=/backups/wal/$(pg_controldata "$PGDATA" | sed -nE 's/^Database system identifier: +//p')-*
  touch "$PGDATA/recovery.signal"
  cat >> "$PGDATA/postgresql.auto.conf" << SETTINGS
restore_command = 'f=\$(ls $log/%f $log/%f.partial 2> /dev/null | head -1) && [ -n "\$f" ] && cp "\$f" %p'
recovery_target_timeline = 'current'
recovery_target_action = 'promote'
$target
SETTINGS
  echo "restoring the base backup of $(date -u -d "@$base" +%FT%TZ) to $RESTORE_TO"
fi
exec postgres -c hba_file=/docker/postgres/pg_hba.conf
