#!/bin/sh
# Installs, all at once, the Debian packages that the tests need and this machine lacks.
set -eu
cd "$(dirname "$0")"
TOCK_LIST_ONLY=$(mktemp)
export TOCK_LIST_ONLY
for part in browser broker firmware lint node postgresql signing voice; do
    sh "need-$part.sh"
done
packages=$(cat "$TOCK_LIST_ONLY")
rm "$TOCK_LIST_ONLY"
unset TOCK_LIST_ONLY
# Package names have no spaces, so splitting is what is wanted here.
# shellcheck disable=SC2086
[ -z "$packages" ] || sh apt-install.sh "the tests" $packages
