#!/bin/sh
# Fetch the page's one library: u8-mqtt (BSD-2-Clause), the MQTT client of the far phone, unchanged from npm.
# Why this one: it is maintained, speaks MQTT over WebSocket with QoS 1 and weighs 5 kB packed; mqtt.js weighs 105 kB.
set -eu
VERSION=0.6.7
SHA256=a7af3dc6d083acfd9b8195e727ff059e3bbbbb1f876c1dd3e9af1b1322cea367
cd "$(dirname "$0")"
TARGET=$PWD/tock_web/static/vendor
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
cd "$WORK"
npm pack --silent "u8-mqtt@$VERSION"
tar xzf "u8-mqtt-$VERSION.tgz"
cp package/esm/web/basic-v4.min.js "$TARGET/u8-mqtt.js"
(cd "$TARGET" && echo "$SHA256  u8-mqtt.js" | sha256sum --check --quiet)
cp package/LICENSE "$TARGET/u8-mqtt.LICENSE.txt"
