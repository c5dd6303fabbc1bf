#!/bin/sh
# Installs Node and npm where they are missing, and then what checks the page, where the lock file says something new.
set -eu
cd "$(dirname "$0")"
missing=
command -v node >/dev/null || missing="nodejs"
command -v npm >/dev/null || missing="$missing npm"
# Package names have no spaces, so splitting is what is wanted here.
# shellcheck disable=SC2086
[ -z "$missing" ] || sh apt-install.sh "the page's checks" $missing
# Callers who install Debian packages of several things at once call again without that when they are there.
[ -z "${TOCK_LIST_ONLY:-}" ] || exit 0
cd ../web
stamp=node_modules/.tock-installed
if [ ! -e "$stamp" ] || [ package-lock.json -nt "$stamp" ]; then
    echo "tock: installing what checks the page into web/node_modules"
    npm ci --silent --no-audit --no-fund --ignore-scripts
    touch "$stamp"
fi
