#!/bin/sh
# Mails each new booking and each decision of a tenant: mail.sh fjord-cars office@example.com
# The cursor is stored after sendmail accepted a mail, so that a restart misses none. Run it under a
# supervisor such as systemd that restarts it.
set -eu
[ $# -eq 2 ] || { echo 'usage: mail.sh TENANT ADDRESS' >&2; exit 2; }
# A checkout has no `rental` on the PATH.
command -v rental > /dev/null || rental() { npm run -s --prefix "$(dirname "$0")/../.." rental -- "$@"; }
tenant=$1 to=$2
kept=${CURSOR_FILE:-cursor-$tenant}
# The station's address in one line; empty without one.
station=$(rental tenants show "$tenant" | sed -n '/^address *none$/!s/^address  *//p')

# The exit code of a pipe is that of its last command, so a line passes on the failure of the first.
{
  rental bookings watch --tenant "$tenant" --since "$(cat "$kept" 2>/dev/null || echo 0)" ||
    echo "failed $?"
} |
  while IFS= read -r line; do
    case $line in failed\ *) exit "${line#failed }" ;; esac
    until
      # Headers have only what the operator gives; text of customers is in the body.
      printf 'To: %s\nSubject: Booking of %s\nMIME-Version: 1.0\n%s\n%s\n\n%s\n' "$to" "$tenant" \
        'Content-Type: text/plain; charset=utf-8' 'Content-Transfer-Encoding: 8bit' "${line% *}${station:+
Station: $station}" |
        "${SENDMAIL:-sendmail}" -i -t
    do sleep 10; done
    echo "${line##* }" > "$kept.new" && mv "$kept.new" "$kept"
  done
