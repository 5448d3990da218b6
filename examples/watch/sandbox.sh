#!/bin/sh
# Confirms every new booking of a test tenant and rejects overbookings: sandbox.sh sandbox
# Never run it for a tenant with real bookings. It ends when `rental bookings watch` ends.
set -eu
[ $# -eq 1 ] || { echo 'usage: sandbox.sh TENANT' >&2; exit 2; }
# A checkout has no `rental` on the PATH.
command -v rental > /dev/null || rental() { npm run -s --prefix "$(dirname "$0")/../.." rental -- "$@"; }

rental bookings watch --tenant "$1" --json |
  while IFS= read -r line; do
    id=$(printf '%s' "$line" |
      node -p 'const { type, booking } = JSON.parse(require("node:fs").readFileSync(0)); type === "booked" ? booking.id : ""')
    [ -n "$id" ] || continue
    rental bookings confirm "$id" --as sandbox || rental bookings reject "$id" --as sandbox || true
  done
