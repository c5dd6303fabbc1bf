#!/bin/sh
# Installs Debian packages where this user may, else says what to type. Usage: apt-install.sh "what for" PACKAGE...
set -eu
purpose=$1
shift
if ! command -v apt-get >/dev/null; then
    echo "tock: $purpose needs: $*. Install them with this system's package manager." >&2
    exit 1
fi
sudo=
if [ "$(id -u)" -ne 0 ]; then
    if ! sudo -n true 2>/dev/null; then
        echo "tock: $purpose needs Debian packages. Please type: sudo apt-get install $*" >&2
        exit 1
    fi
    sudo="sudo -n"
fi
echo "tock: installing for $purpose: $*"
$sudo apt-get update -qq
# sudo hands on nothing of the environment.
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
