#!/bin/sh
# Installs, all at once, the Debian packages that some parts of the work need and this machine lacks.
# Usage: need.sh broker|browser|firmware|lint|node|postgresql|rp2040|signing|tests|voice|webkit...
set -eu
here=$(cd "$(dirname "$0")" && pwd)
PATH=$PATH:/sbin:/usr/sbin
missing=

need() { # COMMAND-OR-FILE PACKAGE...
    command -v "$1" >/dev/null || [ -e "$1" ] || { shift; missing="$missing $*"; }
}

packages_of() {
    case $1 in
    broker) need mosquitto mosquitto ;;
    browser)
        # The engine alone needs half the computing of the whole program; only Debian has it in a separate package.
        if (. /etc/os-release && [ "$ID" = debian ]) 2>/dev/null; then
            need chromium-headless-shell chromium-headless-shell fonts-dejavu-core
        else
            command -v chromium-headless-shell >/dev/null || need chromium chromium fonts-dejavu-core
        fi
        # A library of Playwright's driver.
        ldconfig -p | grep -q 'libatomic\.so\.1' || missing="$missing libatomic1"
        ;;
    firmware)
        need /usr/bin/gcc gcc libc6-dev
        need /usr/bin/avr-gcc gcc-avr
        need /usr/lib/avr/include/avr/io.h avr-libc
        need /usr/bin/avrdude avrdude
        need /usr/include/simavr/sim_avr.h libsimavr-dev
        need /usr/include/libelf.h libelf-dev
        need /usr/share/arduino/hardware/arduino/avr/bootloaders/optiboot/optiboot.c arduino-core-avr
        ;;
    lint)
        need cppcheck cppcheck
        need clang-tidy clang-tidy
        # clang-tidy reads the same headers as the compilers.
        need /usr/include/simavr/sim_avr.h libsimavr-dev libelf-dev libc6-dev
        ;;
    node)
        need node nodejs
        need npm npm
        ;;
    postgresql) ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || missing="$missing postgresql" ;;
    rp2040)
        # Half a gigabyte.
        need arm-none-eabi-gcc gcc-arm-none-eabi
        need cppcheck cppcheck
        packages_of node
        ;;
    signing)
        need gpg gnupg
        need dpkg-scanpackages dpkg-dev
        ;;
    tests) for part in browser broker firmware lint node postgresql signing voice; do packages_of "$part"; done ;;
    voice) need espeak-ng espeak-ng ;;
    webkit)
        need WebKitWebDriver webkit2gtk-driver
        need Xvfb xvfb xauth
        ;;
    *) echo "need.sh: no part is called '$1'" >&2 && exit 2 ;;
    esac
}

for part in "$@"; do packages_of "$part"; done
# Package names have no spaces, so splitting is wanted here.
# shellcheck disable=SC2086
[ -z "$missing" ] || sh "$here/apt-install.sh" "$*" $missing

# Some parts are more than Debian packages.
case " $* " in
*" node "*)
    cd "$here/../web"
    stamp=node_modules/.tock-installed
    if [ ! -e "$stamp" ] || [ package-lock.json -nt "$stamp" ]; then
        echo "tock: installing the page's checks into web/node_modules"
        npm ci --silent --no-audit --no-fund --ignore-scripts
        touch "$stamp"
    fi
    ;;
*" rp2040 "*)
    emulator=rp2040js-1.4.1
    mkdir -p "$here/../build/firmware-rp2040"
    cd "$here/../build/firmware-rp2040"
    if [ ! -e package/dist/esm/index.js ]; then
        npm pack --silent "rp2040js@${emulator#rp2040js-}" >/dev/null
        tar xzf "$emulator.tgz" && rm "$emulator.tgz"
    fi
    ;;
esac
