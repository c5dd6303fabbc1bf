#!/bin/sh
# Installs the MQTT broker that the tests run, where it is missing.
set -eu
PATH=$PATH:/sbin:/usr/sbin
command -v mosquitto >/dev/null || sh "$(dirname "$0")/apt-install.sh" "the tests of the club" mosquitto
