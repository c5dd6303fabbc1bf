#!/bin/sh
# Installs or upgrades the companion on Raspberry Pi OS or Debian: ./install.sh. With --club [NAME] a club's desk, and its
# broker, become a service too; with --relay NAME the relay of homes far from each other. Goes back with --back, leaves with --remove.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
sudo=
[ "$(id -u)" -eq 0 ] || sudo=sudo
case "${1:-}" in
--back) exec $sudo sh "$here/packaging/setup.sh" back ;;
--remove) exec $sudo sh "$here/packaging/setup.sh" remove "${2:-}" ;;
--club) club=club ;;
--relay) club=relay ;;
"") club= ;;
*)
    echo "tock: use ./install.sh, ./install.sh --club [NAME], ./install.sh --relay NAME, ./install.sh --back or ./install.sh --remove [--games]" >&2
    exit 2
    ;;
esac
sh "$here/packaging/need-64-bit.sh" || exit 2
missing=
python3 -c 'import ensurepip' 2>/dev/null || missing=python3-venv
# libcamera's Python side and the library of the pins are only in Raspberry Pi OS; other machines have neither.
for library in python3-picamera2 python3-lgpio; do
    if apt-cache show "$library" >/dev/null 2>&1; then missing="$missing $library"; fi
done
[ "$club" != relay ] || command -v certbot >/dev/null || missing="$missing certbot"
[ -z "$club" ] || PATH=$PATH:/usr/sbin:/sbin command -v mosquitto >/dev/null || missing="$missing mosquitto"
# Phones find tock.local through avahi.
[ -d /etc/avahi ] || missing="$missing avahi-daemon"
# It asks for the password once, before anything takes long.
if [ -n "$sudo" ] && [ -t 0 ]; then sudo -v; fi
# shellcheck disable=SC2086
[ -z "$missing" ] || sh "$here/tools/apt-install.sh" "the companion" $missing
exec $sudo sh "$here/packaging/setup.sh" install "$here" "$club" "${2:-}"
