#!/bin/sh
# Builds our wheel into a folder with the hatchling of build.txt, checked by its hash: build-wheel.sh PYTHON SOURCE FOLDER
set -eu
python=$1
source=$2
folder=$3
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
"$python" -m pip install --quiet --no-deps --require-hashes --only-binary=:all: --target "$tools" \
    --requirement "$source/packaging/deb/build.txt"
PYTHONPATH=$tools "$python" -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir "$folder" "$source"
