#!/usr/bin/env bash
# The archive_command: stores a log file in the archive, which `backup` creates.
#   pgbackrestPush.sh PATH            of the live server
#   pgbackrestPush.sh PATH history    of a restored server: only reserves its timeline, until it is the live one
set -uo pipefail
id=$(pg_controldata | sed -n 's/^Database system identifier: *//p')
[ -d "/backups/repo/archive/$id" ] || exit 0
if [ "${2:-}" = history ] && [[ $1 != *.history ]]; then
  echo 'kept until this volume is the live one' >&2
  exit 1
fi
# After a week without `backup`, the archive must not grow any more.
if [ -n "$(find /backups/status -maxdepth 0 -mtime -7)" ]; then pgbackrest --stanza="$id" archive-push "$1" && exit; fi
# Log that cannot be stored must not fill the disk: above 2 GB it is lost, and `backup` makes a new full backup.
[ "$(find "$PGDATA/pg_wal/archive_status" -name '*.ready' | wc -l)" -gt 128 ] || exit 1
echo "lost $1: the archive cannot be written" >&2
touch "$PGDATA/archive_gap"
