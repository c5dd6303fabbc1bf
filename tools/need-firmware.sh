#!/bin/sh
# Installs what builds, emulates and flashes the reed board's firmware, where it is missing (some 25 MB).
set -eu
missing=
need() { # FILE PACKAGE...
    [ -e "$1" ] || { shift; missing="$missing $*"; }
}
need /usr/bin/gcc "gcc libc6-dev"
need /usr/bin/avr-gcc gcc-avr
need /usr/lib/avr/include/avr/io.h avr-libc
need /usr/bin/avrdude avrdude
need /usr/include/simavr/sim_avr.h libsimavr-dev
need /usr/include/libelf.h libelf-dev
need /usr/share/arduino/hardware/arduino/avr/bootloaders/optiboot/optiboot.c arduino-core-avr
# Package names have no spaces, so splitting is what is wanted here.
# shellcheck disable=SC2086
[ -z "$missing" ] || sh "$(dirname "$0")/apt-install.sh" "the reed board's firmware" $missing
