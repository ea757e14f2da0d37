FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev

FROM packages AS build
RUN --mount=type=cache,target=/root/.npm npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
RUN npm run build && rm dist/.tsbuildinfo

FROM node:24-slim
LABEL org.opencontainers.image.title="Statline" \
      org.opencontainers.image.description="GraphQL over the Sports Statistics Query Service, at the least bill" \
      org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
# Node 24 lets the young generation grow to four times that, which takes 80 MB more.
ENV NODE_OPTIONS=--max-semi-space-size=16
WORKDIR /app
RUN install --directory --owner=node --group=node /data
# What changes most comes last: a new build leaves the packages' layer as it was.
COPY --from=packages /app/node_modules ./node_modules
COPY package.json ./
COPY bin ./bin
COPY public ./public
COPY --from=build /app/dist ./dist
USER node
VOLUME /data
EXPOSE 4000
HEALTHCHECK --start-period=30s CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 4000) + '/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]
