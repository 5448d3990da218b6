#!/usr/bin/env bash
# Restores the database as of RESTORE_TO on a separate volume and starts a server on it. Uses the newest
# earlier base backup of the server and timeline that were active then, and their write-ahead log.
# The active server is not changed.
set -euo pipefail
moment=$(date -d "${RESTORE_TO:?set RESTORE_TO to a time, such as 2027-01-31T12:30:00Z}" +%s)
target="recovery_target_time = '$(date -u -d "$RESTORE_TO" '+%F %T.%6N+00')'"
if [ -e "$PGDATA/PG_VERSION" ]; then
  # A volume with another target was restored to another time, or its restore was interrupted.
  [ "$(tail -n 1 "$PGDATA/postgresql.auto.conf")" = "$target" ] \
    || { echo "The volume does not hold a complete restore to $RESTORE_TO: remove the volume, or set RESTORE_VOLUME to another" >&2; exit 1; }
else
  base=
  for name in $(find /backups/base -mindepth 1 -maxdepth 1 -name '[0-9]*' -printf '%f\n' | sort -n); do
    read -r id first < "/backups/base/$name/start" || continue
    # Only the log of the server that was active at that time has files newer than that time.
    if [ "$name" -le "$moment" ] && log=/backups/wal/$id-$((16#${first:0:8})) && [ -d "$log" ] \
      && [ -n "$(find "$log" -type f -newermt "@$moment" -print -quit)" ]; then base=$name; fi
  done
  [ -n "$base" ] || { echo "No base backup before $RESTORE_TO has a write-ahead log up to that time" >&2; exit 1; }
  tar -xzf "/backups/base/$base/base.tar.gz" -C "$PGDATA"
  chmod 700 "$PGDATA"
  # Stays on the timeline of the base backup; later restores may have started others.
  # restore_command prefers a complete log file to a partial one.
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
