#!/usr/bin/env bash
# Starts a server on $PGDATA unless a server in any container uses it. Two servers would destroy the
# data, and cannot detect each other across containers. The lock ends with the last process.
exec 9< "$PGDATA"
flock -n 9 || { echo 'another server runs on this volume' >&2; exit 1; }
exec "$@"
