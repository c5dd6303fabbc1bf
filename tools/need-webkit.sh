#!/bin/sh
# Installs what the WebKit test needs, where it is missing: WebKitGTK's driver and a screen without a monitor.
set -eu
missing=
command -v WebKitWebDriver >/dev/null || missing="webkit2gtk-driver"
command -v Xvfb >/dev/null || missing="$missing xvfb xauth"
# Package names have no spaces, so splitting is what is wanted here.
# shellcheck disable=SC2086
[ -z "$missing" ] || sh "$(dirname "$0")/apt-install.sh" "the WebKit test" $missing
