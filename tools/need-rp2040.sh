#!/bin/sh
# Gets what builds and emulates the Pico's firmware, where it is missing: Debian's ARM compiler and node (half a gigabyte), and
# the emulator rp2040js from npm into the folder given. Usage: need-rp2040.sh FOLDER
set -eu
folder=$1
version=1.4.1
missing=
command -v arm-none-eabi-gcc >/dev/null || missing="$missing gcc-arm-none-eabi"
command -v cppcheck >/dev/null || missing="$missing cppcheck"
command -v node >/dev/null || missing="$missing nodejs"
command -v npm >/dev/null || missing="$missing npm"
# Package names have no spaces, so splitting is what is wanted here.
# shellcheck disable=SC2086
[ -z "$missing" ] || sh "$(dirname "$0")/apt-install.sh" "the Pico's firmware" $missing
if [ ! -e "$folder/package/dist/esm/index.js" ]; then
    mkdir -p "$folder"
    (cd "$folder" && npm pack --silent "rp2040js@$version" >/dev/null && tar xzf "rp2040js-$version.tgz" && rm "rp2040js-$version.tgz")
fi
