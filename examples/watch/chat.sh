#!/bin/sh
# Posts each new booking and each decision of a tenant as {"text": …}, the format of Slack and
# Mattermost: chat.sh fjord-cars https://chat.example.com/hooks/…
# The text is sent as code, in which both show no mentions, links or pictures: customers choose their names.
# The cursor is stored after a message was accepted, so that a restart misses none. Run it under a
# supervisor such as systemd that restarts it.
set -eu
[ $# -eq 2 ] || { echo 'usage: chat.sh TENANT URL' >&2; exit 2; }
# A checkout has no `rental` on the PATH.
command -v rental > /dev/null || rental() { npm run -s --prefix "$(dirname "$0")/../.." rental -- "$@"; }
tenant=$1 url=$2
kept=${CURSOR_FILE:-cursor-$tenant}

# The exit code of a pipe is that of its last command, so a line passes on the failure of the first.
{
  rental bookings watch --tenant "$tenant" --since "$(cat "$kept" 2>/dev/null || echo 0)" ||
    echo "failed $?"
} |
  while IFS= read -r line; do
    case $line in failed\ *) exit "${line#failed }" ;; esac
    # Passed on standard input, because everyone on the machine can read arguments. Backticks would end
    # the code. Slack and Mattermost read <!channel> and <https://…> before they look for code.
    until
      printf '%s' "${line% *}" |
        node -p 'const line = require("node:fs").readFileSync(0, "utf8")
          const plain = line.replace(/`/g, "\u2019").replace(/</g, "\u2039").replace(/>/g, "\u203a")
          JSON.stringify({ text: "`" + plain + "`" })' |
        curl --fail --silent --show-error --output /dev/null --max-time 20 --retry 5 \
          --header 'Content-Type: application/json' --data-binary @- "$url"
    do sleep 10; done
    echo "${line##* }" > "$kept.new" && mv "$kept.new" "$kept"
  done
