# The server and the operator's command line (`rental`), with the migrations inside.
#   docker compose build     (the one image of a release, docker-compose.yml)
# Needs nothing but its environment (docs/configuration.md); writes nothing.

ARG NODE_IMAGE=docker.io/library/node:24-bookworm-slim

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY docker/trimModules.mjs ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit && node trimModules.mjs

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The bundler is an optional package of its own for every platform, so nothing is left out here.
RUN npm ci --ignore-scripts --no-audit
COPY tsconfig.json build.mjs ./
COPY src src
COPY clients clients
COPY examples examples
RUN npm run -s build && find dist -name '*.map' -delete \
 # What the image is made of, beside what Debian's package manager lists.
 && npm sbom --omit dev --omit optional --package-lock-only --sbom-format cyclonedx > sbom.json

FROM ${NODE_IMAGE}
# Every address of the container: who may reach it is decided by the network around it.
# Nobody's name: here all staff are one account, so decisions ask for a name (docs/cli.md).
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 RENTAL_OPERATOR=""
WORKDIR /app
# What changes least comes first, so that a release only adds its own few layers.
COPY --from=dependencies /app/node_modules node_modules
COPY package.json LICENSE openapi.yaml ./
COPY examples examples
COPY public public
COPY migrations migrations
COPY --from=build /app/src/db/sql src/db/sql
COPY --from=build /app/sbom.json ./
COPY --from=build /app/clients/packages clients/packages
COPY --from=build /app/clients/widget/dist clients/widget/dist
COPY --from=build /app/dist dist
ARG VERSION=1.0.0
# Nothing is installed from here on, so nothing that could install is left.
RUN [ "$(node --print "require('./package.json').version")" = "$VERSION" ] \
 && rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx \
      /usr/local/bin/corepack /usr/local/bin/yarn* /opt/yarn* \
 && chmod 755 dist/cli.js && ln -s /app/dist/cli.js /usr/local/bin/rental \
 # Everything that is imported is there: what is missing is the environment.
 && rental help > /dev/null && node dist/server.js 2>&1 | grep -q '^Invalid environment'
# Last, because the revision is another one each time.
ARG REVISION=unknown
ARG NODE_IMAGE
LABEL org.opencontainers.image.title="Rental Booking API" \
      org.opencontainers.image.description="Multi-tenant public rental booking API" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.base.name="${NODE_IMAGE}" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
# By number, so that a cluster can see that it isn't root.
USER 1000:1000
EXPOSE 3000
# Alive, not ready: restarting a replica does not bring its database back. Asked by the shell: to start
# a Node for it every two seconds would cost too much, and so a start is seen soon.
HEALTHCHECK --interval=2s --timeout=3s --start-period=30s --retries=10 \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/$PORT && printf 'GET /healthz HTTP/1.0\\r\\nhost: localhost\\r\\n\\r\\n' >&3 && read -r -t 2 line <&3 && [[ $line == *' 200 '* ]]"]
STOPSIGNAL SIGTERM
# What requests leave behind is collected half as often (decision 513).
CMD ["node", "dist/server.js"]
