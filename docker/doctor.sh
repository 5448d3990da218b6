#!/usr/bin/env bash
# Prints what is wrong with the deployment, and exits with 1 then: services, passwords, certificate, disks, backups.
set -uo pipefail
cd "$(dirname "$0")/.."
secrets=${SECRETS_DIRECTORY:-secrets} status=0
wrong() { echo "WRONG: $1" && status=1; }
found=$(docker compose ps --all --quiet | xargs -r docker inspect --format '{{index .Config.Labels "com.docker.compose.service"}} {{.HostConfig.RestartPolicy.Name}} {{.State.Status}} {{.State.ExitCode}} {{if .State.Health}}{{.State.Health.Status}}{{end}}')
is_healthy() { grep -q "^$1 .* healthy$" <<< "$found"; }
for service in postgres redis api-1 api-2 proxy; do grep -q "^$service " <<< "$found" || wrong "$service does not exist: docker compose up -d --no-deps --wait $service"; done
while read -r service policy state code health; do
  case $service:$policy:$state:$code:$health in
    roles:* | migrate:* | restored:*) [ "$state:$code" != exited:0 ] && [ "$state" != running ] && wrong "$service failed: docker compose logs --tail 10 $service" ;;
    :* | *:unless-stopped:running:*:healthy | *:unless-stopped:running:*:) ;;
    *:unless-stopped:*) wrong "$service is $state $health: docker compose logs --tail 10 $service" ;;
    *) wrong "$service is not restarted after a failure: docker compose up -d --no-deps --force-recreate $service" ;;
  esac
done <<< "$found"
# The files in secrets/, not what a container has mounted, because that may be an older file.
is_healthy postgres && for name in database_url database_owner_url database_backup_url; do
  docker compose exec -T postgres bash -c 'IFS=:/@ read -r _ _ _ PGUSER PGPASSWORD _; export PGUSER PGPASSWORD; psql -h 127.0.0.1 -d rental -c ""' < "$secrets/$name" > /dev/null 2>&1 \
    || wrong "the database rejects $secrets/$name: docker compose run --rm --no-deps roles, then replace both replicas"
done
password=$(sed -E 's|^redis://:(.*)@.*|\1|' "$secrets/redis_url")
! is_healthy redis || printf '%b\n' "${password//%/\\x}" | docker compose exec -T redis sh -c 'read -r REDISCLI_AUTH; export REDISCLI_AUTH; redis-cli ping' 2> /dev/null | grep -q PONG \
  || wrong "Redis rejects $secrets/redis_url: docker compose up -d --no-deps --wait --force-recreate redis, then replace both replicas"
certificate=${TLS_DIRECTORY:-docker/tls}/site.pem
if [ -e "$certificate" ]; then openssl x509 -checkend 1209600 -noout -in "$certificate" > /dev/null 2>&1 || wrong "the certificate is broken or ends within 14 days (docs/operations.md#tls)"; fi
! is_healthy postgres || docker compose exec -T postgres df -P /var/lib/postgresql/data /backups | awk '$5 + 0 >= 90 { exit 1 }' || wrong 'a disk is nearly full (docs/operations.md#the-disk-is-full)'
docker compose exec -T backup bash /docker/backup.sh status || wrong 'the backups (docs/operations.md#backup-and-restore)'
if [ $status = 0 ]; then echo 'nothing is wrong'; else exit 1; fi
