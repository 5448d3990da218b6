# The image of the server, the command line `rental` and the migrations.
#   docker compose build     builds the image (docker-compose.yml)
# It is configured by environment variables (docs/configuration.md) and writes no files.

ARG NODE_IMAGE=docker.io/library/node:24-bookworm-slim

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY docker/trimModules.mjs ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit && node trimModules.mjs

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Optional packages are included, because the bundler has one for each platform.
RUN npm ci --ignore-scripts --no-audit
COPY tsconfig.json build.mjs ./
COPY src src
COPY clients clients
COPY examples examples
RUN npm run -s build && find dist -name '*.map' -delete \
 # The SBOM of the npm packages; Debian's package manager lists the others.
 && npm sbom --omit dev --omit optional --package-lock-only --sbom-format cyclonedx > sbom.json

FROM ${NODE_IMAGE}
# HOST: listen on all addresses; the container's network restricts access.
# RENTAL_OPERATOR is empty because all staff share one account; they pass a name (docs/staff.md).
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 RENTAL_OPERATOR=""
WORKDIR /app
# Ordered by how rarely they change, so that a release adds only a few layers. --chmod: a checkout with
# umask 077 must be readable for the container's user.
COPY --from=dependencies /app/node_modules node_modules
COPY --chmod=755 package.json LICENSE openapi.yaml ./
COPY --chmod=755 examples examples
COPY --chmod=755 public public
COPY --chmod=755 migrations migrations
COPY --chmod=755 --from=build /app/src/db/sql src/db/sql
COPY --from=build /app/sbom.json ./
COPY --from=build /app/clients/packages clients/packages
COPY --from=build /app/clients/widget/dist clients/widget/dist
COPY --from=build /app/dist dist
ARG VERSION=1.0.0
# The running container needs no package managers.
RUN [ "$(node --print "require('./package.json').version")" = "$VERSION" ] \
 && rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx \
      /usr/local/bin/corepack /usr/local/bin/yarn* /opt/yarn* \
 && chmod 755 dist/cli.js && ln -s /app/dist/cli.js /usr/local/bin/rental \
 # Checks that all imports resolve: the server must fail only because of its environment.
 && rental help > /dev/null && node dist/server.js 2>&1 | grep -q '^Invalid environment'
# Last, because the revision changes with every build.
ARG REVISION=unknown
ARG NODE_IMAGE
LABEL org.opencontainers.image.title="Rental Booking API" \
      org.opencontainers.image.description="Multi-tenant public rental booking API" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.base.name="${NODE_IMAGE}" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
# A number, because Kubernetes rejects user names under runAsNonRoot.
USER 1000:1000
EXPOSE 3000
# Checks liveness, not readiness: a restart does not repair an unavailable database.
# Bash instead of Node, because starting Node every two seconds is expensive.
HEALTHCHECK --interval=2s --timeout=3s --start-period=30s --retries=10 \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/$PORT && printf 'GET /healthz HTTP/1.0\\r\\nhost: localhost\\r\\n\\r\\n' >&3 && read -r -t 2 line <&3 && [[ $line == *' 200 '* ]]"]
STOPSIGNAL SIGTERM
CMD ["node", "dist/server.js"]
