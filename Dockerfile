# The image: `docker build -t atrium .` for this machine, or with buildx for linux/amd64 and linux/arm64.
# Nothing in it depends on the architecture but the packages, which npm picks.
# The same Node as in node_modules.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS manifests
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY server/package.json server/
COPY payments-sandbox/package.json payments-sandbox/
COPY sdk-js/package.json sdk-js/
COPY web/package.json web/

# Builds the web app, with all packages.
FROM manifests AS web
RUN npm ci --no-audit --no-fund
COPY tsconfig.base.json ./
COPY server/src server/src
COPY sdk-js/src sdk-js/src
COPY web web
RUN node server/src/main.ts build-web

# The packages that the server runs on, and nothing else.
FROM manifests AS packages
RUN npm ci --omit=dev --no-audit --no-fund -w server -w payments-sandbox
COPY scripts/prune-production scripts/
RUN scripts/prune-production

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Atrium" \
      org.opencontainers.image.description="A self-hosted team workspace for people and AI agents" \
      org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json LICENSE ./
COPY payments-sandbox/package.json payments-sandbox/
COPY payments-sandbox/src payments-sandbox/src
COPY server/package.json server/
COPY server/src server/src
COPY --from=web /app/web/dist web/dist

RUN install -d -o 1000 -g 1000 -m 700 /data
# By number, so that the platform can see that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/readyz').then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "server/src/main.ts"]
CMD ["serve"]
