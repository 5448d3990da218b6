#!/usr/bin/env bash
# Restores the database as of RESTORE_TO, a time or `latest`, into an empty $PGDATA, and starts a server on it with
# the given arguments. `latest` is the live server's history; a time is restored from the server that was live then.
#   restore.sh ranges    prints the times that can be restored
set -euo pipefail
. "${0%/*}/login.sh"
cd /backups/repo 2> /dev/null && restore_to=${RESTORE_TO:-} || { echo 'There is no backup yet' >&2 && exit 1; }
# The archived log files by the time of archiving: time, stanza, version of PostgreSQL, name.
list_log() {
  find archive -regextype posix-extended -regex '.*/[0-9A-F]{24}-[0-9a-f]{40}.*' ! -name '*.tmp' -printf '%T@ %P\n' \
    | sort -n | sed -E 's|^(\S+) ([0-9]+)/([0-9]+)-.*/([0-9A-F]{24}).*|\1 \2 \3 \4|'
}
backups_of() { # STANZA: end, label, first log file, last position
  pgbackrest --stanza="$1" info --output=json \
    | jq -r '.[].backup[] | select(.error | not) | [.timestamp.stop, .label, .archive.start, .lsn.stop] | @tsv'
}
# The lives of servers since the second after the end of the oldest backup.
print_ranges() {
  local oldest
  oldest=$(for id in $(ls archive); do backups_of "$id"; done | sort -n | head -n 1 | cut -f 1)
  list_log | awk -v from="$((${oldest:-9999999999} + 1))" '
    function put() { if (from < until) { print strftime("%FT%TZ", from) " to " strftime("%FT%TZ", until) ": " life; from = until } }
    { now = "PostgreSQL " $3 ", timeline " substr($4, 1, 8) } now != life { put(); life = now } { until = $1 } END { put() }'
}
fail() { printf '%s. Possible: latest, or\n%s\n' "$1" "$(print_ranges)" >&2; exit 1; }
padded() { printf '%8s%8s' "${1%/*}" "${1#*/}" | tr ' ' 0; }
number() { echo $((16#${1:0:8} * 256 + 16#${1:8})); }
# Sets the stanza, its version of PostgreSQL and the last log file that is needed.
find_log() {
  local live is_archived
  # Ends the live server's log file with a commit, so that the archive holds everything until now.
  if live=$(psql -qXAt -F ' ' -c 'select pg_current_xact_id()' -c 'select system_identifier, pg_walfile_name(pg_switch_wal()) from pg_control_system()' | tail -n 1); then
    is_archived="archive/${live% *}/*/*/${live#* }-*[!p]" # not .tmp
    for _ in {1..60}; do if compgen -G "$is_archived" > /dev/null; then break; else sleep 1; fi; done
    [ -n "$moment" ] || compgen -G "$is_archived" > /dev/null \
      || fail 'The live server cannot archive its log (docker compose logs postgres). Stop it to restore what is archived'
  fi
  # The first log file archived after the moment is from the server that was live at that moment.
  read -r _ id version file < <(list_log | awk -v moment="$moment" -v live="$live" '
    (moment != "" ? $1 >= moment : live == "" || $2 " " $4 == live) { found = $0; if (moment != "") exit }
    END { print found }') && [ -n "$id" ] || fail "No log after RESTORE_TO=$restore_to is archived"
  [ "$version" = "$PG_MAJOR" ] || fail "RESTORE_TO=$restore_to belongs to PostgreSQL $version: set POSTGRES_VERSION=$version"
}
# Sets the newest backup from which the log leads to that file, which is not always the newest one of its time.
find_backup() {
  local -A end=(["${file:0:8}"]='~')
  local parent position stop label first start found
  # The ancestors of the timeline, with the position at which each ends.
  while read -r parent position _; do
    if [ -n "$position" ]; then end[$(printf %08X "$parent")]=$(padded "$position"); fi
  done < <(cat "archive/$id/$version"-*/"${file:0:8}.history" 2> /dev/null)
  while read -r stop label first position; do
    if [[ $(padded "$position") < ${end[${first:0:8}]:-} ]] && { [ -z "$moment" ] || [ "$stop" -lt "${moment%.*}" ]; }; then
      base=$label start=${first:8}
    fi
  done < <(backups_of "$id")
  [ -n "${base:-}" ] || fail "RESTORE_TO=$restore_to is before the first backup"
  # PostgreSQL would end the recovery at a missing log file.
  found=$({ for parent in "${!end[@]}"; do echo "$parent ${end[$parent]:0:8}000000${end[$parent]:8:2}"; done; list_log; } \
    | awk -v id="$id" -v first="$start" -v last="${file:8}" 'NF == 2 { end[$1] = $2 "" }
      $2 == id { t = substr($4, 1, 8); n = substr($4, 9); if (n < end[t] && n >= first "" && n <= last "") print n }' | sort -u | wc -l)
  [ "$found" = $(($(number "${file:8}") - $(number "$start") + 1)) ] \
    || fail "RESTORE_TO=$restore_to cannot be restored, because log was lost before it and after backup $base"
}

if [ "${1:-}" = ranges ]; then print_ranges && exit; fi
case $restore_to in
  latest) moment='' ;;
  *) moment=$(date -d "${restore_to:-unset}" +%s.%6N) && [ "${moment%.*}" -le "$(date +%s)" ] || fail "RESTORE_TO=$restore_to is not a past time" ;;
esac
if [ ! -e "$PGDATA/global/pg_control" ]; then
  find_log
  find_backup
  echo "restoring backup $base to $restore_to on timeline $((16#${file:0:8}))"
  target=(--type=default)
  if [ -n "$moment" ]; then target=(--type=time --target="$(date -d "$restore_to" '+%F %T.%6N+00')" --target-action=promote); fi
  pgbackrest --stanza="$id" --pg1-path="$PGDATA" --set="$base" --target-timeline=$((16#${file:0:8})) "${target[@]}" $([ ! -e "$PGDATA/backup.manifest" ] || echo --delta) restore
  echo "$restore_to" > "$PGDATA/restored_to"
elif [ "$(cat "$PGDATA/restored_to" 2> /dev/null)" != "$restore_to" ]; then
  fail "The volume does not hold a restore to $restore_to: set RESTORE_VOLUME to a new name"
fi
postgres "$@" 2>&1 | tee /tmp/recovery &
trap 'pg_ctl -D "$PGDATA" -m fast -W -s stop' INT TERM
wait $! || wait $! || true
# The server of that time made no later commit: all its log is the state at that time.
grep -q 'recovery ended before configured recovery target' /tmp/recovery || exit 0
sed -i '/^recovery_target_time /d' "$PGDATA/postgresql.auto.conf"
exec postgres "$@"
