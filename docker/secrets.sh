#!/usr/bin/env bash
# Creates the missing secrets as files, which docker-compose.yml mounts into the services. Uses the secrets
# of an existing .env file. Running it again changes nothing.
#   ./docker/secrets.sh                  create the missing secrets
#   ./docker/secrets.sh rotate NAME      create a new secret; NAME: database, owner, backup, monitor, redis, sessions
#   ./docker/secrets.sh promote sessions sign session tokens with the new secret
#   ./docker/secrets.sh retire NAME      invalidate the old secret; NAME: redis, sessions
#   ./docker/secrets.sh workers          write the database URL of each worker (docker/compose.citus.yml); repeat after `rotate database`
# After each step, replace the services: docs/operations.md, "Rotating secrets".
set -euo pipefail
cd "$(dirname "$0")/.."
directory=${SECRETS_DIRECTORY:-secrets}
umask 077
mkdir -p "$directory"

random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
sha256() { printf %s "$1" | { sha256sum 2> /dev/null || shasum -a 256; } | cut -d ' ' -f 1; }
env_file=${ENV_FILE:-.env}
# Prints the value of a variable in the .env file without quotes; nothing if it is not set.
former() { [ ! -e "$env_file" ] || sed -nE "s/^(export )?$1=[\"']?([^\"']*)[\"']?\$/\2/p" "$env_file" | tail -1; }
# Percent-encodes a password for a URL.
encoded() {
  local text=$1 character LC_ALL=C
  while [ -n "$text" ]; do
    character=${text%"${text#?}"} text=${text#?}
    case $character in [A-Za-z0-9._~-]) printf %s "$character" ;; *) printf '%%%02X' "'$character" ;; esac
  done
}
read_secret() { cat "$directory/$1"; }
# World-readable for all container users; on the host, the directory's mode restricts access.
write() {
  printf '%s\n' "$2" > "$directory/.$1" && chmod 444 "$directory/.$1" && mv -f "$directory/.$1" "$directory/$1"
  echo "wrote $directory/$1"
}
make() { [ -s "$directory/$1" ] || write "$1" "$2"; }
# Reports a variable of the .env file that differs from the secret, which is the one that is used.
report_unused() { # VARIABLE FILE
  local value
  value=$(former "$1")
  if [ -n "$value" ] && ! grep -qF -e "$value" -e "$(encoded "$value")" "$directory/$2"; then
    echo "$1 in $env_file is not used, because $directory/$2 exists: delete one of them" >&2
  fi
}
# Containers run as other users, who must be able to read the mounted files.
require_readable() {
  local unreadable
  unreadable=$(find docker examples/alerts.yml -path 'docker/tls/*' -o \( ! -perm -o=r -o -type d ! -perm -o=x \) -print 2> /dev/null | head -n 1 || true)
  if [ -n "$unreadable" ]; then
    echo "Containers cannot read $unreadable: run find docker examples ! -path 'docker/tls/*' -exec chmod a+rX {} +, and set umask 022 before you check out" >&2
    exit 1
  fi
}
database_url() { echo "postgres://$1:$(random)@postgres:5432/rental"; }
hash_in_url() {
  local password
  password=$(read_secret redis_url | sed -E 's|^redis://:(.*)@.*|\1|')
  sha256 "$(printf %b "${password//%/\\x}")"
}
# Prints the ACL: the hashes of the API's accepted passwords, and two users who may only read status.
redis_acl() {
  printf 'user default on resetpass %s ~* &* +@all -@admin -@dangerous +info +cluster\n' "$*"
  printf 'user probe on >probe -@all +ping\nuser exporter on >exporter -@all +ping +info +config|get +latency +slowlog|get +slowlog|len +client|setname +select'
}

case "${1:-make} ${2:-}" in
  'make ')
    new=$([ -s "$directory/database_url" ] || echo true)
    postgres=$(former POSTGRES_PASSWORD) redis=$(former REDIS_PASSWORD) sessions=$(former SESSION_SECRETS)
    make postgres_password "${postgres:-$(random)}"
    make database_url "$(database_url rental_api_a)"
    for role in owner backup; do make "database_${role}_url" "$(database_url "rental_$role")"; done
    for name in database_monitor grafana; do make "${name}_password" "$(random)"; done
    if [ ! -s "$directory/redis_url" ]; then
      redis=${redis:-$(random)}
      write redis_url "redis://:$(encoded "$redis")@redis:6379"
      write redis_acl "$(redis_acl "#$(sha256 "$redis")")"
    fi
    make redis_acl "$(redis_acl "#$(hash_in_url)")"
    make session_secrets "${sessions:-$(random)}"
    # For Alertmanager (docs/monitoring.md): replace them by your own.
    for name in alert watchdog; do make "${name}_url" "http://$name-url-is-not-set.invalid"; done
    report_unused POSTGRES_PASSWORD postgres_password
    report_unused REDIS_PASSWORD redis_url
    report_unused SESSION_SECRETS session_secrets
    require_readable
    [ -z "$new" ] || [ -z "$(docker volume ls --quiet --filter "name=^${COMPOSE_PROJECT_NAME:-rental}_redis$" 2> /dev/null)" ] \
      || echo "The running services use other passwords. Put the former $directory/ back, or run docker compose up -d --wait --force-recreate with your profiles" >&2
    ;;
  'rotate database')
    # Not the login of the running replicas, also if this step is repeated.
    case $(docker compose exec -T api-1 cat /run/secrets/database_url 2> /dev/null || read_secret database_url) in *rental_api_a*) next=rental_api_b ;; *) next=rental_api_a ;; esac
    write database_url "$(database_url $next)"
    ;;
  'rotate owner' | 'rotate backup') write "database_$2_url" "$(database_url "rental_$2")" ;;
  'rotate monitor') write database_monitor_password "$(random)" ;;
  'rotate redis')
    # Keeps all accepted passwords, because replicas may still use an old one.
    old=$(grep -oE '#[0-9a-f]{64}' "$directory/redis_acl" | tr '\n' ' ')
    new=$(random)
    write redis_acl "$(redis_acl "$old#$(sha256 "$new")")"
    write redis_url "redis://:$new@redis:6379"
    ;;
  'retire redis') write redis_acl "$(redis_acl "#$(hash_in_url)")" ;;
  'rotate sessions') write session_secrets "$(read_secret session_secrets),$(random)" ;;
  'promote sessions')
    # Puts the last secret first and also keeps it last, which marks it as promoted.
    all=$(read_secret session_secrets)
    [ "${all%%,*}" = "${all##*,}" ] || write session_secrets "${all##*,},$all"
    ;;
  'workers ')
    for worker in worker-1 worker-2; do
      write "database_${worker//-/_}_url" "$(read_secret database_url | sed "s/@postgres:/@$worker:/")"
    done
    ;;
  'retire sessions') all=$(read_secret session_secrets) && write session_secrets "${all%%,*}" ;;
  *)
    sed -n '2,9s/^# //p' docker/secrets.sh >&2
    exit 2
    ;;
esac
