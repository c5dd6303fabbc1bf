#!/bin/sh
# Installs GnuPG and dpkg-dev, by which a release's repository is written and signed.
set -eu
missing=
command -v gpg >/dev/null || missing="$missing gnupg"
command -v dpkg-scanpackages >/dev/null || missing="$missing dpkg-dev"
# shellcheck disable=SC2086
[ -z "$missing" ] || sh "$(dirname "$0")/apt-install.sh" "signed releases" $missing
