#!/usr/bin/env bash
# Starts a server on $PGDATA unless one runs there already, in whatever container: two of them destroy
# the data, and neither sees the other's process (decision 347). The lock ends with the last process.
exec 9< "$PGDATA"
flock -n 9 || { echo 'another server runs on this volume' >&2; exit 1; }
exec "$@"
