# The server and the operator's command line (`rental`), with the migrations inside.
#   docker build --tag rental-booking-api .
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
# The compiler is an optional package of its own for every platform, so nothing is left out here.
RUN npm ci --ignore-scripts --no-audit
COPY tsconfig*.json ./
COPY src src
COPY clients clients
COPY examples examples
RUN npm run -s build && find dist -name '*.map' -delete

FROM ${NODE_IMAGE}
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Rental Booking API" \
      org.opencontainers.image.description="Multi-tenant public rental booking API" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
# Every address of the container: who may reach it is decided by the network around it.
# Nobody's name: here all staff are one account, so decisions ask for a name (docs/cli.md).
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 RENTAL_OPERATOR=""
WORKDIR /app
# What changes least comes first, so that a release only adds its own few layers.
COPY --from=dependencies /app/node_modules node_modules
COPY package.json LICENSE openapi.json openapi.yaml ./
COPY examples examples
COPY migrations migrations
COPY --from=build /app/dist dist
# Nothing is installed from here on, so nothing that could install is left.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx \
      /usr/local/bin/corepack /usr/local/bin/yarn* /opt/yarn* \
 && chmod 755 dist/cli.js && ln -s /app/dist/cli.js /usr/local/bin/rental \
 # Everything that is imported is there.
 && rental help > /dev/null && node --eval "import('/app/dist/app.js')"
USER node
EXPOSE 3000
# Alive, not ready: restarting a replica does not bring its database back.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "dist/server.js"]
