#!/usr/bin/env bash
# Creates a dump every day and, with pgBackRest, a full backup every week and an incremental one every day. The
# live server stores its log in the archive by itself (docker/postgres/pgbackrestPush.sh). Every week, restores the
# newest of both on a server of its own, which audit.mjs audits.
#   backup.sh keep     runs until it is stopped (the service `backup`)
#   backup.sh now      creates a dump and a full backup; with `dump` or `full`, only that one
#   backup.sh check    restores the newest backup with its log, and the newest dump, and audits both
#   backup.sh status   prints the age of each backup, and the times that can be restored
#   backup.sh copy     writes all complete backups as a tar archive to standard output
#   backup.sh copied   records that the archive of `copy` was stored elsewhere
set -euo pipefail
umask 077 && cd /backups
mkdir -p dumps && mkdir -p -m 755 status
. "${0%/*}/login.sh"
log() { printf '{"time":"%s","level":"%s","msg":"%s"%s}\n' "$(date -u +%FT%T.%3NZ)" "$1" "$2" "${3:-}"; }
# Stores metrics, which audit.mjs serves to Prometheus.
store() { # NAME: metrics on standard input
  cat > "status/.$1" && chmod 644 "status/.$1" && mv "status/.$1" "status/$1.prom"
}
report() { # KIND SECONDS BYTES of a successful run
  printf "rental_backup_%s{kind=\"$1\"} %d\n" last_success_timestamp_seconds "$(date +%s)" duration_seconds "$2" bytes "$3" | store "$1"
}
# Only complete dumps have a final name. A dump from before the first migration would fail every check.
dump() {
  local began=$SECONDS name=$EPOCHSECONDS.dump
  pg_dump --format=custom --file=dumps/.new
  mv dumps/.new "dumps/$name"
  find dumps -name '[0-9]*' -mtime "+${BACKUP_KEEP_DAYS:-14}" -delete
  report dump $((SECONDS - began)) "$(stat -c %s "dumps/$name")"
  log info 'dump written' ",\"file\":\"$name\",\"seconds\":$((SECONDS - began))"
}
# Sets the live server's system identifier, which is its stanza, and its timeline.
find_live() {
  local started
  read -r id timeline started < <(psql -qXAt -F ' ' -c "select system_identifier,
    substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8), floor(extract(epoch from pg_postmaster_start_time()))::bigint from pg_control_system()") || return 1
  # Files of another volume must not be taken for those of the live server.
  [[ $((started - $(sed -n 3p "$PGBACKREST_PG1_PATH/postmaster.pid" 2> /dev/null || echo 0))) == [012] ]] \
    || { log error 'this container has another volume than postgres: recreate it (docker compose --profile backup up -d)'; return 1; }
}
base() { # full | incr
  local began=$SECONDS
  find_live
  # pgBackRest only connects to a socket. This one is forwarded, so that the role needs its password.
  export PGBACKREST_PG1_SOCKET_PATH=/tmp/$$ && mkdir -p "/tmp/$$"
  socat "UNIX-LISTEN:$PGBACKREST_PG1_SOCKET_PATH/.s.PGSQL.5432,fork" TCP:postgres:5432 9>&- &
  trap 'kill $!' EXIT
  until [ -S "$PGBACKREST_PG1_SOCKET_PATH/.s.PGSQL.5432" ]; do sleep 0.1; done
  pgbackrest --stanza="$id" stanza-create
  pgbackrest --stanza="$id" --type="$1" backup
  report base $((SECONDS - began)) "$(du -sb "repo/backup/$id" | cut -f 1)"
  log info "$1 backup written" ",\"stanza\":\"$id\",\"seconds\":$((SECONDS - began))"
  # Databases that are no longer live, such as those of a former major version of PostgreSQL.
  for id in $(ls repo/archive); do
    [ -n "$(find "repo/archive/$id" -type f -mtime -14 -print -quit)" ] || rm -rf "repo/archive/$id" "repo/backup/$id"
  done
}
# Prints the type of the backup that is due, if any. Each timeline begins with a full one, as does log after a gap.
due() {
  find_live
  pgbackrest --stanza="$id" info --output=json | jq -r --arg timeline "$timeline" --argjson now "$(date +%s)" \
    --argjson gap "$(stat -c %Y "$PGBACKREST_PG1_PATH/archive_gap" 2> /dev/null || echo 0)" \
    '[.[].backup[] | select(.archive.start | startswith($timeline)) | {type, at: .timestamp.start}]
    | if ([.[] | select(.type == "full").at] | max // 0) < ([$now - 7 * 86400, $gap] | max) then "full"
      elif ([.[].at] | max) < $now - 86400 then "incr" else empty end'
}
# Restores into .check on this volume, so that the live server has no work with it.
check() {
  local began=$SECONDS name response
  name=$(find dumps -name '[0-9]*.dump' -printf '%f\n' | sort -n | tail -1) && [ -n "$name" ] || { log error 'there is no dump to restore'; return 1; }
  rm -rf .check && mkdir -p .check /tmp/check
  printf 'local all all trust\nhost rental,rental_restored rental_backup all scram-sha-256\n' > /tmp/hba.conf
  trap 'pg_ctl -D /backups/.check -m immediate -s stop || true; rm -rf .check' EXIT
  PGDATA=/backups/.check RESTORE_TO=latest bash "${0%/*}/restore.sh" -c hba_file=/tmp/hba.conf -c archive_mode=off \
    -c unix_socket_directories=/tmp/check -c shared_buffers=32MB -c fsync=off >&2 9>&- &
  until [ "$(psql -h /tmp/check -U rental -qXAt -c 'select pg_is_in_recovery()' 2>&1)" = f ]; do
    kill -0 $! || { log error 'the backup cannot be restored'; return 1; }
    sleep 1
  done
  pg_amcheck -h /tmp/check -U rental --install-missing --heapallindexed rental >&2 || { store sound <<< 'rental_backup_restored_sound 0'; return 1; }
  createdb -h /tmp/check -U rental rental_restored
  pg_restore -h /tmp/check -U rental --dbname=rental_restored --jobs=2 --no-owner --no-privileges --exit-on-error "dumps/$name"
  exec 3<> /dev/tcp/backup-audit/9188
  printf 'POST /audit HTTP/1.0\r\n\r\n' >&3
  read -r _ response _ <&3
  # 409: inconsistent. Other responses, such as 500, mean that the audit could not run.
  case $response in 200) store sound <<< 'rental_backup_restored_sound 1' ;; 409) store sound <<< 'rental_backup_restored_sound 0' ;; *) return 1 ;; esac
  report restore $((SECONDS - began)) "$(stat -c %s "dumps/$name")"
  log info 'backup and dump restored' ",\"file\":\"$name\",\"seconds\":$((SECONDS - began))"
}
# Backups before the log, which then reaches beyond their ends. The lock keeps everything but new log unchanged.
# With the directory `status`, a restored server archives its log before `backup` runs.
copy() {
  { find dumps repo/backup repo/archive -type f ! -name '.*' ! -name '*.tmp' -print0; printf 'status\0'; } | sort -z -r | tar -c --format=posix --no-recursion --null -T -
}
# Reports whether the live server's log is archived, and log that was lost.
report_log() {
  if [ "$(psql -qXAt -c "select last_archived_time > coalesce(last_failed_time, '-infinity') from pg_stat_archiver" 2>&1)" = t ] \
    && find_live && [ -d "repo/archive/$id" ]; then report wal 0 "$(du -sb repo/archive | cut -f 1)"; fi
  [ ! -e "$PGBACKREST_PG1_PATH/archive_gap" ] || store gap <<< "rental_backup_log_gap_timestamp_seconds $(stat -c %Y "$PGBACKREST_PG1_PATH/archive_gap")"
}
# In a new process, because `set -e` has no effect in a function that is called within `||` or `&&`.
attempt() { bash "$0" "$@" || { log error "$* failed"; sleep 300; }; }
# Only one command runs at a time.
case "${1:-keep}" in keep | due | status) ;; *) exec 9> .lock && flock 9 ;; esac
case "${1:-keep} ${2:-}" in
  'now ') dump && base full ;;
  'now dump') dump ;;
  'now full' | 'now incr') base "$2" ;;
  'due ') due ;;
  'check ') check ;;
  'copy ') copy ;;
  'copied ') report copy 0 0 ;;
  'status ')
    failed='' # by the limits of examples/alerts.yml, in minutes
    for kind in dump:2160 base:2160 wal:15 restore:12960 copy:2160; do
      minutes=$((($(date +%s) - $(sed -n 's/^rental_backup_last_success.* //p' "status/${kind%:*}.prom" 2> /dev/null || echo 0)) / 60))
      if [ $minutes -le "${kind#*:}" ]; then echo "${kind%:*}: $minutes minutes ago"; else failed+=" ${kind%:*}"; fi
    done
    { find_live && echo "live: database $id, timeline $((16#$timeline)). Times that can be restored:" && bash "${0%/*}/restore.sh" ranges; } || failed+=' times'
    [ -z "$failed" ] || { echo "too old or missing:$failed" && exit 1; }
    ;;
  'keep ')
    trap 'kill $(jobs -p) 2> /dev/null || true' EXIT
    trap 'exit 0' TERM INT
    until [ "$(psql -qXAt -c "select to_regclass('bookings')" 2>&1)" = bookings ]; do sleep 5 & wait $!; done
    # Jobs, because bash handles signals at once only while it waits for a job. Backups may take long.
    while sleep 5; do report_log; sleep 55; done &
    while :; do
      if type=$(bash "$0" due) && [ -n "$type" ]; then attempt now "$type"; fi
      if [ -z "$(find status/dump.prom -mmin -1440 2> /dev/null)" ]; then attempt now dump; fi
      if [ -z "$(find status/restore.prom -mtime -7 2> /dev/null)" ]; then attempt check; fi
      sleep 60
    done &
    # No job ends normally. If one does, exit, so that the container is restarted.
    wait -n; exit 1
    ;;
  *) sed -n '2,11p' "$0" >&2 && exit 2 ;;
esac
