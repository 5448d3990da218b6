#!/bin/sh
# Posts each new booking and each decision of a tenant as {"text": …}, which Slack, Mattermost and
# others take: chat.sh fjord-cars https://chat.example.com/hooks/…
# The cursor is kept when a message was accepted: after a restart none is missing. Let systemd, or
# whatever else supervises it, start it again when it ends.
set -eu
[ $# -eq 2 ] || { echo 'usage: chat.sh TENANT URL' >&2; exit 2; }
tenant=$1 url=$2
kept=${CURSOR_FILE:-cursor-$tenant}

# A pipe ends as its last part does: that hears from the first how it ended.
{
  rental bookings watch --tenant "$tenant" --since "$(cat "$kept" 2>/dev/null || echo 0)" ||
    echo "failed $?"
} |
  while IFS= read -r line; do
    case $line in failed\ *) exit "${line#failed }" ;; esac
    # By standard input, since everybody on the machine can read arguments. Escaped as Slack wants it:
    # a customer called <!channel> must not call everybody, nor <https://…> be a link.
    until
      printf '%s' "${line% *}" | sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g' |
        node -p 'JSON.stringify({ text: require("node:fs").readFileSync(0, "utf8") })' |
        curl --fail --silent --show-error --output /dev/null --max-time 20 --retry 5 \
          --header 'Content-Type: application/json' --data-binary @- "$url"
    do sleep 10; done
    echo "${line##* }" > "$kept.new" && mv "$kept.new" "$kept"
  done
