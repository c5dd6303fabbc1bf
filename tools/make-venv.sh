#!/bin/sh
# Makes a virtual environment with pip. Debian ships python3 without the part that can; it is installed if missing.
set -eu
venv=$1
sh "$(dirname "$0")/../packaging/need-64-bit.sh" || exit 2
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "tock: Python 3.11 or newer is needed; this is $(python3 --version)" >&2
    exit 1
}
python3 -c 'import ensurepip' 2>/dev/null || sh "$(dirname "$0")/apt-install.sh" "the virtual environment" python3-venv
echo "tock: making $venv"
python3 -m venv "$venv"
