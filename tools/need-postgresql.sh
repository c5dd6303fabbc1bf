#!/bin/sh
# Installs the database server that the tests of a club's desk run, where it is missing.
set -eu
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || sh "$(dirname "$0")/apt-install.sh" "the tests of a club's desk" postgresql
