#!/bin/sh
# Installs the voice that speaks at the table in the tests, where it is missing.
set -eu
command -v espeak-ng >/dev/null || sh "$(dirname "$0")/apt-install.sh" "the tests of the voice" espeak-ng
