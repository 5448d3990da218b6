#!/usr/bin/env bash
# Restores the database as of RESTORE_TO, a time or `latest`, into an empty $PGDATA and starts a server on
# it with the given arguments. Uses the newest base backup before that time whose log reaches that time.
# The active server is not changed.
set -euo pipefail
export TZ=UTC
backups=${BACKUPS:-/backups}
restore_to=${RESTORE_TO:-}
fail() { echo "$1" >&2; exit 1; }

# Prints the time of the last transaction in a directory of log files.
last_transaction() { # DIRECTORY
  local file link time
  for file in $(find "$1" -regextype sed -regex '.*/[0-9A-F]\{24\}\(\.partial\)\?' | sort -r); do
    link=/tmp/$(basename "$file" .partial)
    ln -sf "$file" "$link"
    # pg_waldump fails at the end of the log.
    time=$({ pg_waldump --rmgr=Transaction "$link" 2> /dev/null || true; } \
      | sed -nE 's/.* desc: (COMMIT|ABORT)[A-Z_]* ([-0-9]+ [.:0-9]+) UTC.*/\2/p' | tail -n 1)
    rm "$link"
    if [ -n "$time" ]; then echo "$time"; return; fi
  done
}

case $restore_to in
  '' | latest) moment='' ;;
  *) moment=$(date -d "$restore_to" '+%F %T.%6N') ;;
esac
# An empty target is the end of the log.
target="recovery_target_time = '${moment:+$moment+00}'"
if [ -n "$restore_to" ] && [ -e "$PGDATA/PG_VERSION" ]; then
  # A volume with another target was restored to another time, or its restore was interrupted.
  [ "$(tail -n 1 "$PGDATA/postgresql.auto.conf")" = "$target" ] \
    || fail "The volume does not hold a complete restore to $restore_to: set RESTORE_VOLUME to a new name"
  echo "the volume holds an earlier restore to $restore_to; it is used as it is"
  exec postgres "$@"
fi

base='' log='' series='' ranges=''
for name in $(find "$backups/base" -mindepth 1 -maxdepth 1 -name '[0-9]*' -printf '%f\n' | sort -n); do
  read -r id first < "$backups/base/$name/start" || continue
  found=$(find "$backups/wal" -path "*/$id-*/$first*" -printf '%h' -quit)
  [ -n "$found" ] || continue
  began=$(date -d "@$name" '+%F %T')
  if [ "$found" != "$series" ]; then
    series=$found
    last=$(last_transaction "$series")
    [ -z "$last" ] || ranges+="; after ${began/ /T}Z and before ${last/ /T}Z"
  fi
  if [ "$restore_to" = latest ] || { [ -n "$moment" ] && [[ ! $moment < $began && $moment < $last ]]; }; then
    base=$name log=$series
  fi
done
[ -n "$base" ] || fail "RESTORE_TO=$restore_to cannot be restored. Possible: latest${ranges:-: nothing yet}"

echo "restoring the base backup of $(date -d "@$base" +%FT%TZ) to $restore_to"
tar -xzf "$backups/base/$base/base.tar.gz" -C "$PGDATA"
chmod 700 "$PGDATA"
touch "$PGDATA/recovery.signal"
# Stays on the timeline of the base backup; later restores may have started others.
# restore_command prefers a complete log file to a partial one.
cat >> "$PGDATA/postgresql.auto.conf" << SETTINGS
restore_command = 'f=\$(ls $log/%f $log/%f.partial 2> /dev/null | head -1) && [ -n "\$f" ] && cp "\$f" %p'
recovery_target_timeline = 'current'
recovery_target_action = 'promote'
$target
SETTINGS
exec postgres "$@"
