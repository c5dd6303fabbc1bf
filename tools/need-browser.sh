#!/bin/sh
# Installs what the browser tests need, where it is missing: Debian's Chromium, a font, and a library of Playwright's driver.
set -eu
PATH=$PATH:/sbin:/usr/sbin
missing=
# The engine alone needs half the computing of the whole program; Debian has it in a package of its own.
if ! command -v chromium-headless-shell >/dev/null; then
    if (. /etc/os-release && [ "$ID" = debian ]) 2>/dev/null; then
        missing="chromium-headless-shell fonts-dejavu-core"
    elif ! command -v chromium >/dev/null; then
        missing="chromium fonts-dejavu-core"
    fi
fi
ldconfig -p | grep -q 'libatomic\.so\.1' || missing="$missing libatomic1"
# Package names have no spaces, so splitting is what is wanted here.
# shellcheck disable=SC2086
[ -z "$missing" ] || sh "$(dirname "$0")/apt-install.sh" "the browser tests" $missing
