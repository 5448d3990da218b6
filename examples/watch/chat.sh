#!/bin/sh
# Posts each new booking and each decision of a tenant as {"text": …}, the format of Slack and
# Mattermost: chat.sh fjord-cars https://chat.example.com/hooks/…
# The cursor is stored after a message was accepted, so that a restart misses none. Run it under a
# supervisor such as systemd that restarts it.
set -eu
[ $# -eq 2 ] || { echo 'usage: chat.sh TENANT URL' >&2; exit 2; }
tenant=$1 url=$2
kept=${CURSOR_FILE:-cursor-$tenant}

# The exit code of a pipe is that of its last command, so a line passes on the failure of the first.
{
  rental bookings watch --tenant "$tenant" --since "$(cat "$kept" 2>/dev/null || echo 0)" ||
    echo "failed $?"
} |
  while IFS= read -r line; do
    case $line in failed\ *) exit "${line#failed }" ;; esac
    # Passed on standard input, because everyone on the machine can read arguments. Escaped for Slack: a
    # customer named <!channel> must not notify everyone, and <https://…> must not become a link.
    until
      printf '%s' "${line% *}" | sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g' |
        node -p 'JSON.stringify({ text: require("node:fs").readFileSync(0, "utf8") })' |
        curl --fail --silent --show-error --output /dev/null --max-time 20 --retry 5 \
          --header 'Content-Type: application/json' --data-binary @- "$url"
    do sleep 10; done
    echo "${line##* }" > "$kept.new" && mv "$kept.new" "$kept"
  done
