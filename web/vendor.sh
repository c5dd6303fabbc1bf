#!/bin/sh
# Fetch the page's one library: u8-mqtt (BSD-2-Clause), the MQTT client of the far phone, unchanged from npm.
# Why this one: it is maintained, speaks MQTT over WebSocket with QoS 1 and weighs 5 kB packed; mqtt.js weighs 105 kB.
set -eu
VERSION=0.6.7
cd "$(dirname "$0")"
TARGET=$PWD/tock_web/static/vendor
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
cd "$WORK"
npm pack --silent "u8-mqtt@$VERSION"
tar xzf "u8-mqtt-$VERSION.tgz"
cp package/esm/web/basic-v4.min.js "$TARGET/u8-mqtt.js"
cp package/LICENSE "$TARGET/u8-mqtt.LICENSE.txt"
