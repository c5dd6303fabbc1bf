#!/bin/sh
# Builds the wheel with the compiled rules engine into the folder $1 with the Python $2. It is built from a copy, because
# extensions that lie beside their sources would be imported instead of them.
set -e
copy=build/compiled-source
rm -rf "$copy" "$1"
mkdir -p "$copy" "$1"
tar -cf - --exclude=./.venv --exclude=./.git --exclude=./build --exclude=./dist --exclude=./web/node_modules --exclude=__pycache__ . | tar -xf - -C "$copy"
# The mypyc hook copies what it has compiled into the first source folder by name, which is not the companion's.
ln -s ../companion/tock_companion "$copy/app/tock_companion"
HATCH_BUILD_HOOK_ENABLE_MYPYC=1 "$2" -m pip wheel --quiet --no-deps --wheel-dir "$1" "$copy"
rm -rf "$copy"
