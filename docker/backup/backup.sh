#!/usr/bin/env bash
# Creates a dump every day and a base backup every week, and receives the write-ahead log (for
# restore.sh). Every week, restores both on a server of its own, which audit.mjs audits. Its database
# role cannot write to the live database.
#   backup.sh keep     runs until it is stopped (the service `backup`)
#   backup.sh now      creates a dump and a base backup; with `dump` or `base`, only that one
#   backup.sh clean    deletes old base backups and the log files that no base backup needs
#   backup.sh check    restores the newest base backup with its log, and the newest dump, and audits both
#   backup.sh copy     writes all complete backups as a tar archive to standard output
#   backup.sh copied   records that the archive of `copy` was stored elsewhere
set -euo pipefail
umask 077
here=/var/lib/postgresql
cd "$here"
mkdir -p dumps base wal
mkdir -p -m 755 status
url=$(cat /run/secrets/database_backup_url)
# Passed in environment variables, because arguments are visible in the process list.
PGPASSWORD=$(sed -E 's|.*:([^:@]+)@.*|\1|' <<< "$url")
PGUSER=$(sed -E 's|^postgres://([^:]+):.*|\1|' <<< "$url")
export PGPASSWORD PGUSER PGHOST=postgres PGDATABASE=rental
keep_days=${BACKUP_KEEP_DAYS:-14}
day=86400

log() { printf '{"time":"%s","level":"%s","msg":"%s"%s}\n' "$(date -u +%FT%T.%3NZ)" "$1" "$2" "${3:-}"; }
# Stores metrics, which audit.mjs serves to Prometheus.
store() { # NAME: metrics on standard input
  cat > "status/.$1" && chmod 644 "status/.$1" && mv "status/.$1" "status/$1.prom"
}
# Stores the metrics of a successful run.
report() { # KIND SECONDS BYTES
  store "$1" << METRICS
rental_backup_last_success_timestamp_seconds{kind="$1"} $(date +%s)
rental_backup_duration_seconds{kind="$1"} $2
rental_backup_bytes{kind="$1"} $3
METRICS
}
newest() { find "$1" -mindepth 1 -maxdepth 1 -name '[0-9]*' -printf '%f\n' | sort -n | tail -1; }
older_than() { # DIRECTORY SECONDS: true if the newest entry is older or missing
  local last
  last=$(newest "$1")
  [ -z "$last" ] || [ $(($(date +%s) - ${last%%.*})) -ge "$2" ]
}
# True if every base backup is older than the log, so that point-in-time recovery is impossible.
older_than_log() { [ "$(newest base)" -lt "$({ cat wal/*.since 2> /dev/null || echo 0; } | sort -n | tail -1)" ]; }
# The dump is written under a temporary name, so that only complete dumps have a final name.
dump() {
  local began=$SECONDS name
  pg_dump --format=custom --file=dumps/.new
  name=$(date +%s).dump
  mv dumps/.new "dumps/$name"
  find dumps -name '[0-9]*' -mtime "+$keep_days" -delete
  report dump $((SECONDS - began)) "$(stat -c %s "dumps/$name")"
  log info 'dump written' ",\"file\":\"$name\",\"seconds\":$((SECONDS - began))"
}
# Writes the file `start`: the server's system identifier and the first log file the base backup needs.
write_start() { # DIRECTORY
  local id first
  rm -rf base/.read
  mkdir base/.read
  tar -xzf "$1/base.tar.gz" -C base/.read backup_label global/pg_control
  id=$(pg_controldata base/.read | sed -nE 's/^Database system identifier: +//p')
  first=$(sed -nE 's/^START WAL.*file ([0-9A-F]+)\)/\1/p' base/.read/backup_label)
  [ -n "$id" ] && [ -n "$first" ] || { log error "$1 cannot be read"; return 1; }
  echo "$id $first" > base/.read/start && mv base/.read/start "$1/start" && rm -r base/.read
}
# Deletes log files that no base backup of the same server needs; a new server restarts the numbering.
# The log of a server without base backups is useless and expires like dumps.
clean_log() { # DIRECTORY
  local id first
  id=$(basename "$1")
  # Compares the names without their timeline, as pg_archivecleanup does.
  first=$({ cat base/[0-9]*/start 2> /dev/null || true; } | sed -n "s/^${id%-*} //p" | sort -r -k 1.9 | tail -1)
  if [ -n "$first" ]; then
    pg_archivecleanup "$1" "$first"
  elif [ -n "$(find "$1" -maxdepth 0 -mtime "+$keep_days")" ]; then
    rm -rf "$1" "$1.since"
  fi
}
# The final name is set last, so that only complete base backups have one. A failed backup is retried.
base() {
  local began=$SECONDS name
  rm -rf base/.new
  pg_basebackup --pgdata=base/.new --format=tar --gzip --wal-method=none --checkpoint=fast 2> base/.said \
    || { cat base/.said >&2; return 1; }
  write_start base/.new
  name=$(date +%s)
  mv base/.new "base/$name"
  report base $((SECONDS - began)) "$(du -sb "base/$name" | cut -f 1)"
  log info 'base backup written' ",\"name\":\"$name\",\"seconds\":$((SECONDS - began))"
}
# Runs daily, so that a failure does not retain the log for a week.
clean() {
  local old part
  # Recovery covers the last two weeks. It starts from the newest base backup that is older.
  find base -mindepth 1 -maxdepth 1 -name '[0-9]*' -printf '%f\n' | sort -n \
    | awk -v latest=$(($(date +%s) - 14 * day)) '$1 <= latest' | head -n -1 \
    | while read -r old; do rm -r "base/$old"; done
  for old in base/[0-9]*; do
    # An unreadable base backup retains no log.
    [ -e "$old/start" ] || [ ! -d "$old" ] || write_start "$old" || true
  done
  for part in wal/*-*; do
    if [ -d "$part" ]; then clean_log "$part"; fi
  done
}
# Restores into .check on this volume, so that the live server has no work with it.
check() {
  local began=$SECONDS name response
  name=$(newest dumps)
  [ -n "$name" ] || { log error 'there is no dump to restore'; return 1; }
  rm -rf .check
  mkdir .check
  printf 'local all all trust\nhost rental,rental_restored rental_backup all scram-sha-256\n' > /tmp/hba.conf
  BACKUPS=$here PGDATA=$here/.check RESTORE_TO=latest bash "${0%/*}/restore.sh" -c hba_file=/tmp/hba.conf \
    -c unix_socket_directories=/tmp -c shared_buffers=32MB -c fsync=off >&2 9>&- &
  # Not local, because the trap runs after the function.
  server=$!
  trap 'kill -QUIT $server 2> /dev/null; wait $server || true; rm -rf .check' EXIT
  until [ "$(psql -h /tmp -U rental -qXAt -c 'select pg_is_in_recovery()' 2>&1)" = f ]; do
    kill -0 $server || { log error 'the base backup cannot be restored'; return 1; }
    sleep 1
  done
  createdb -h /tmp -U rental rental_restored
  pg_restore -h /tmp -U rental --dbname=rental_restored --jobs=2 --no-owner --no-privileges --exit-on-error "dumps/$name"
  exec 3<> /dev/tcp/backup-audit/9188
  printf 'POST /audit HTTP/1.0\r\n\r\n' >&3
  read -r _ response _ <&3
  # 409: inconsistent. Other responses, such as 500, mean that the audit could not run.
  case $response in 200) store sound <<< 'rental_backup_restored_sound 1' ;; 409) store sound <<< 'rental_backup_restored_sound 0' ;; *) return 1 ;; esac
  report restore $((SECONDS - began)) "$(stat -c %s "dumps/$name")"
  log info 'base backup and dump restored' ",\"file\":\"$name\",\"seconds\":$((SECONDS - began))"
}
# Partial log files are copied first, because they change. The lock keeps everything else unchanged.
copy() {
  local file
  rm -rf .copy
  mkdir -p .copy/wal
  for file in wal/*/*.partial; do
    # Missing if it has just been completed.
    cp --parents --preserve "$file" .copy 2> /dev/null || true
  done
  find dumps base wal -type f ! -path '*/.*' ! -name '*.partial' -print0 \
    | tar --create --null --files-from=- --directory=.copy wal
  rm -rf .copy
}
# Deletes log files that a full disk truncated at creation. They have no records, and pg_receivewal
# rejects them.
drop_unfinished() { find "$1" -name '*.partial' ! -size 0 ! -size 16777216c -delete; }
# One directory for each server and timeline: after a point-in-time recovery, the stored log is ahead
# of the server and cannot be continued.
open_log() {
  part=wal/$(psql -qXAt -c IDENTIFY_SYSTEM 'replication=database dbname=rental' | cut -d '|' -f 1,2 | tr '|' -) \
    && mkdir -p "$part" \
    && drop_unfinished "$part" \
    && pg_receivewal --directory="$part" --slot=backup --create-slot --if-not-exists \
    && { [ -e "$part.since" ] || date +%s > "$part.since"; }
}
receive_log() {
  while :; do
    if open_log; then
      pg_receivewal --directory="$part" --slot=backup --synchronous --no-loop 2> /tmp/receive || true
      cat /tmp/receive >&2
      if grep -q 'has already been removed' /tmp/receive; then begin_series; fi
    fi
    log warn 'the write-ahead log is not received; retrying in 5 s'
    sleep 5
  done
}
# PostgreSQL has deleted log that was not received, so the directory cannot be continued. It is kept,
# and a base backup follows, because every earlier one is older than the new directory.
begin_series() {
  log error 'the write-ahead log has a gap: no time between the last received log and the next base backup can be restored'
  store gap <<< "rental_backup_log_gap_timestamp_seconds $(date +%s)"
  psql -qXAt -c "select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = 'backup'" \
    && mv "$part" "$part.$(date +%s)" && rm -f "$part.since" || true
}
report_log() {
  local receiving
  receiving=$(psql -qXAt -c "select count(*) from pg_stat_replication where application_name = 'pg_receivewal'") \
    && [ "$receiving" -ge 1 ] && report wal 0 "$(du -sb wal | cut -f 1)" || true
}
# In a new process, because `set -e` has no effect in a function that is called within `||` or `&&`.
attempt() { bash "$0" "$1" || { log error "$1 failed"; sleep 300; }; }

# Only one command runs at a time.
if [ "${1:-keep}" != keep ]; then
  exec 9> .lock
  flock 9
fi
case "${1:-keep}" in
  now)
    dump
    base
    clean
    ;;
  dump) dump ;;
  base) base ;;
  clean) clean ;;
  check) check ;;
  copy) copy ;;
  copied) report copy 0 0 ;;
  keep)
    trap 'kill $(jobs -p) 2> /dev/null || true' EXIT
    trap 'exit 0' TERM INT
    # A dump from before the first migration would fail every check.
    until [ "$(psql -qXAt -c "select to_regclass('bookings')" 2>&1)" = bookings ]; do sleep 5 & wait $!; done
    # Everything runs as a job, because bash handles signals at once only while it waits for a job.
    # open_log ends before the first backup.
    open_log &
    wait $! || true
    receive_log &
    # A job of its own, because backups may take long.
    while sleep 5; do
      report_log
      sleep 55
    done &
    while :; do
      if older_than dumps $day; then attempt dump; attempt clean; fi
      if older_than base $((7 * day)) || older_than_log; then attempt base; attempt clean; fi
      if [ -z "$(find status/restore.prom -mtime -7 2> /dev/null)" ]; then attempt check; fi
      sleep 60
    done &
    # No job ends normally. If one does, exit, so that the container is restarted.
    wait -n
    exit 1
    ;;
  *) sed -n '2,11p' "$0" >&2 && exit 2 ;;
esac
