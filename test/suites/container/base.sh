#!/bin/sh
# base.sh FILE: node:24-slim as a tar, made from the packages that it is made of (Debian, Node.js, npm, a user
# `node`), so that the Dockerfile is built where no image can be pulled.
set -eu
cd "$(dirname "$0")/node_modules"

mmdebstrap --quiet --variant=essential --include=libstdc++6,passwd \
  --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
  --customize-hook='cp node-linux-*/bin/node "$1/usr/local/bin/"' \
  --customize-hook='mkdir "$1/usr/local/lib/node_modules" && cp -r npm "$1/usr/local/lib/node_modules/"' \
  --customize-hook='ln -s ../lib/node_modules/npm/bin/npm-cli.js "$1/usr/local/bin/npm"' \
  --customize-hook='chroot "$1" useradd --create-home --uid 1000 --user-group --shell /bin/bash node' \
  bookworm "$1"
