#!/usr/bin/env bash
# Creates a dump every day and a base backup every week, and receives the write-ahead log (for
# restore.sh). Every week, restores a dump into a separate database, which audit.mjs then audits. Its
# database role cannot write to the live database.
#   backup.sh keep     runs until it is stopped (the service `backup`)
#   backup.sh now      creates a dump and a base backup; with `dump` or `base`, only that one
#   backup.sh clean    deletes old base backups and the log files that no base backup needs
#   backup.sh check    restores the newest dump
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
restored=rental_restored

log() { printf '{"time":"%s","level":"%s","msg":"%s"%s}\n' "$(date -u +%FT%T.%3NZ)" "$1" "$2" "${3:-}"; }
# Writes the metrics of a successful run; audit.mjs serves them to Prometheus.
report() { # KIND SECONDS BYTES
  {
    echo "rental_backup_last_success_timestamp_seconds{kind=\"$1\"} $(date +%s)"
    echo "rental_backup_duration_seconds{kind=\"$1\"} $2"
    echo "rental_backup_bytes{kind=\"$1\"} $3"
  } > "status/.$1" && chmod 644 "status/.$1" && mv "status/.$1" "status/$1.prom"
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
check() {
  local began=$SECONDS name
  name=$(newest dumps)
  [ -n "$name" ] || { log error 'there is no dump to restore'; return 1; }
  # Removed first: audit.mjs must not audit a partial restore, and an interrupted check runs again.
  rm -f status/restored
  psql -qX -v ON_ERROR_STOP=1 -c "drop database if exists $restored with (force)" -c "create database $restored"
  pg_restore --dbname="$restored" --jobs=2 --no-owner --no-privileges --exit-on-error "dumps/$name"
  report restore $((SECONDS - began)) "$(stat -c %s "dumps/$name")"
  log info 'dump restored' ",\"file\":\"$name\",\"database\":\"$restored\",\"seconds\":$((SECONDS - began))"
  # The new file makes audit.mjs audit the restored database.
  date +%s > status/.restored && chmod 644 status/.restored && mv status/.restored status/restored
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
    open_log && pg_receivewal --directory="$part" --slot=backup --synchronous --no-loop || true
    log warn 'the write-ahead log is not received; retrying in 5 s'
    sleep 5
  done
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
  keep)
    trap 'kill $(jobs -p) 2> /dev/null || true' EXIT
    trap 'exit 0' TERM INT
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
      if [ ! -e status/restored ] || [ -n "$(find status/restored -mtime +6)" ]; then attempt check; fi
      sleep 60
    done &
    # No job ends normally. If one does, exit, so that the container is restarted.
    wait -n
    exit 1
    ;;
  *) sed -n '2,8p' "$0" >&2 && exit 2 ;;
esac
