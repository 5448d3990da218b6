#!/usr/bin/env bash
# Starts a server on $PGDATA unless a server in any container uses it. Two servers would destroy the
# data, and cannot detect each other across containers. The lock ends with the last process.
exec 9< "$PGDATA"
flock -n 9 || { echo 'another server runs on this volume' >&2; exit 1; }
# If another server of this database was live since, the log continues on a new timeline: a name of a log file is
# never used twice. Directories of the archive begin with the timeline in hexadecimal.
if [ "$1" = docker-entrypoint.sh ] && [ -e "$PGDATA/PG_VERSION" ]; then
  id=$(pg_controldata | sed -n 's/^Database system identifier: *//p')
  own=$(pg_controldata | sed -nE "s/^(Latest checkpoint's TimeLineID|Min recovery ending loc's timeline): *//p" | sort -n | tail -n 1)
  newest=$(find "/backups/repo/archive/$id" -mindepth 2 -maxdepth 2 -type d -printf '%.8f\n' 2> /dev/null | sort | tail -n 1)
  # The signal of a restore that was cut off is empty. Its recovery ends on a new timeline by itself.
  if [ $((16#${newest:-0})) -gt "$own" ] && { [ ! -e "$PGDATA/recovery.signal" ] || [ -s "$PGDATA/recovery.signal" ]; }; then
    # A recovery removes log that is not archived yet.
    find "$PGDATA/pg_wal/archive_status" -name '*.ready' -printf "$PGDATA/pg_wal/%f\n" | sed 's/\.ready$//' \
      | xargs -r -n 1 pgbackrest --stanza="$id" archive-push || touch "$PGDATA/archive_gap"
    echo "after $own" > "$PGDATA/recovery.signal" || exit 1
    set -- "$@" -c "restore_command=pgbackrest --stanza=$id archive-get %f %p" -c "recovery_target_timeline=$own" -c recovery_target_time=
  fi
fi
exec "$@"
