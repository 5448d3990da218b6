#!/usr/bin/env bash
# Copies the embedded database of `npm start` into the PostgreSQL of docker-compose.yml, which must be
# running and empty (docs/operations.md#from-a-trial-to-production). PostgreSQL has no port on the host,
# so a temporary container forwards a port of 127.0.0.1 to it.
set -euo pipefail
cd "$(dirname "$0")/.."
project=${COMPOSE_PROJECT_NAME:-rental}
tunnel="$project-tunnel"
port=${TUNNEL_PORT:-5433}

config=$(printf '%s\n' 'defaults' '  mode tcp' '  timeout connect 5s' '  timeout client 1h' '  timeout server 1h' \
  'listen database' '  bind :5432' '  server postgres postgres:5432')
remove() { docker rm --force "$tunnel" > /dev/null 2>&1 || true; }
remove
trap remove EXIT
trap 'exit 1' HUP INT TERM
# `cat` ends with this script, even if the script is killed, and the container ends with `cat`.
docker create --rm --interactive --name "$tunnel" --publish "127.0.0.1:$port:5432" --entrypoint sh \
  "${PROXY_IMAGE:-haproxy:3.2}" -c "echo '$config' > /tmp/tunnel.cfg && haproxy -db -f /tmp/tunnel.cfg & cat" > /dev/null
docker network connect "${project}_data" "$tunnel"
exec 9> >(docker start --attach --interactive "$tunnel" > /dev/null)

owner=$(< "${SECRETS_DIRECTORY:-secrets}/database_owner_url")
npm run -s rental -- transfer --to "${owner/@postgres:5432/@127.0.0.1:$port}" 9>&-
