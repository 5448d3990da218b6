#!/bin/sh
# Posts each new booking and each decision of a tenant as {"text": …}, which Slack, Mattermost and
# others take: chat.sh fjord-cars https://chat.example.com/hooks/…
# The cursor is kept when a message was accepted: after a restart none is missing. Needs jq. Let
# systemd, or whatever else supervises it, start it again when it ends.
set -eu
tenant=$1 url=$2
kept=${CURSOR_FILE:-cursor-$tenant}

rental bookings watch --tenant "$tenant" --since "$(cat "$kept" 2>/dev/null || echo 0)" |
  while IFS= read -r line; do
    printf '%s' "${line% *}" | jq --raw-input --slurp '{text: .}' |
      curl --fail --silent --show-error --output /dev/null --max-time 20 --retry 5 \
        --header 'Content-Type: application/json' --data-binary @- "$url"
    echo "${line##* }" > "$kept.new" && mv "$kept.new" "$kept"
  done
