#!/usr/bin/env bash
# The deploy hook of certbot: gives the certificate to the proxy (docs/operations.md#tls).
set -euo pipefail
cd "$(dirname "$0")/../.."
umask 077
cat "$RENEWED_LINEAGE/fullchain.pem" "$RENEWED_LINEAGE/privkey.pem" > docker/tls/.new
chown 99 docker/tls/.new && chmod 400 docker/tls/.new && mv -f docker/tls/.new docker/tls/site.pem
# The first certificate comes before the proxy.
# `compose kill` would mark the proxy as stopped by hand, which its restart policy respects.
[ -z "$(docker compose ps --quiet proxy)" ] || docker compose exec -T proxy bash -c 'kill -USR2 1'
