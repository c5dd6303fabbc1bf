#!/bin/sh
# Installs what the browser tests need, where it is missing: Debian's chromium, a font, and a library of Playwright's driver.
set -eu
PATH=$PATH:/sbin:/usr/sbin
missing=
command -v chromium >/dev/null || missing="chromium fonts-dejavu-core"
ldconfig -p | grep -q 'libatomic\.so\.1' || missing="$missing libatomic1"
# Package names have no spaces, so splitting is what is wanted here.
# shellcheck disable=SC2086
[ -z "$missing" ] || sh "$(dirname "$0")/apt-install.sh" "the browser tests" $missing
