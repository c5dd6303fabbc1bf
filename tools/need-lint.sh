#!/bin/sh
# Installs what looks at the firmware's C without running it, where it is missing.
set -eu
missing=
command -v cppcheck >/dev/null || missing="$missing cppcheck"
command -v clang-tidy >/dev/null || missing="$missing clang-tidy"
# clang-tidy reads the same headers as the compilers.
[ -e /usr/include/simavr/sim_avr.h ] || missing="$missing libsimavr-dev libelf-dev libc6-dev"
# Package names have no spaces, so splitting is what is wanted here.
# shellcheck disable=SC2086
[ -z "$missing" ] || sh "$(dirname "$0")/apt-install.sh" "the firmware's lint" $missing
