#!/bin/sh
# The companion as a service of this machine: installs, upgrades, goes back, removes. Used by install.sh and by the
# Debian package. Releases lie side by side; `current` points at the one that runs, so going back is one link.
#
# setup.sh install SOURCE   SOURCE is a source tree, or a folder of wheels (then no network is needed)
# setup.sh back             goes back to the release before
# setup.sh remove [--games] stops and removes the companion; the games stay unless --games is given
set -eu

PREFIX=/opt/tock-companion
DATA=/var/lib/tock-companion
SERVICE=tock-companion.service
UNIT=/etc/systemd/system/$SERVICE
OFF=tock-companion-off
RULES=/etc/udev/rules.d/60-tock-companion.rules
AVAHI=/etc/avahi/services/tock-companion.service
FILES=$(cd "$(dirname "$0")" && pwd)

say() { echo "tock: $*"; }
fail() {
    echo "tock: $*" >&2
    exit 1
}

check() {
    [ "$(id -u)" -eq 0 ] || fail "this needs the superuser: sudo $0 $*"
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
        fail "Python 3.11 or newer is needed (Raspberry Pi OS Bookworm or newer)"
    python3 -c 'import ensurepip' 2>/dev/null || fail "Debian's python3-venv is missing: sudo apt install python3-venv"
}

# Whether systemd runs here; in a chroot or an image builder it does not, and units are only put in place.
systemd_runs() { [ -d /run/systemd/system ]; }

make_user() {
    if ! getent passwd tock >/dev/null; then
        useradd --system --user-group --home-dir "$DATA" --no-create-home --shell /usr/sbin/nologin tock
    fi
    for group in video dialout gpio render; do
        if getent group "$group" >/dev/null; then usermod -aG "$group" tock; fi
    done
    install -d -o tock -g tock -m 750 "$DATA"
}

# Ribbon cameras are only reached through the system's own libcamera.
venv_options() { if python3 -c 'import picamera2' 2>/dev/null; then echo --system-site-packages; fi; }

make_release() {
    source=$1
    release=$PREFIX/releases/$(date +%Y%m%d-%H%M%S)
    install -d "$PREFIX/releases"
    say "making $release"
    # Nothing half done: a release that cannot be completed is taken away again.
    trap 'rm -rf "$release"' EXIT
    # shellcheck disable=SC2046
    python3 -m venv $(venv_options) "$release"
    if ls "$source"/tock_companion-*.whl >/dev/null 2>&1; then
        "$release/bin/pip" install --quiet --no-index --find-links "$source" "tock-companion[pi]"
    else
        "$release/bin/pip" install --quiet "$source[pi]"
    fi
    "$release/bin/tock" rules list >/dev/null || fail "the new release does not start; the old one stays"
    trap - EXIT
}

place_files() {
    install -m 644 "$FILES/tock-companion.service" "$UNIT"
    for unit in "$OFF.path" "$OFF.service"; do install -m 644 "$FILES/$unit" "/etc/systemd/system/$unit"; done
    if [ -d /etc/udev ]; then install -D -m 644 "$FILES/60-tock-companion.rules" "$RULES"; fi
    if [ -d /etc/avahi ]; then install -D -m 644 "$FILES/tock-companion.avahi" "$AVAHI"; fi
    if [ ! -e "$DATA/tock.toml" ]; then
        "$release/bin/tock" config init "$DATA/tock.toml" --port 80 >/dev/null
        chown tock:tock "$DATA/tock.toml"
    fi
}

# Points a link at a release in one step, so that a power cut leaves the old or the new one.
point() {
    ln -sfn "$2" "$PREFIX/$1.new"
    mv -T "$PREFIX/$1.new" "$PREFIX/$1"
}

# `systemctl restart` of a service of Type=notify returns when phones can come, or fails.
restart() {
    if ! systemd_runs; then
        say "systemd does not run here; the companion starts with the machine"
        systemctl enable --quiet "$SERVICE" "$OFF.path" 2>/dev/null || true
        return 0
    fi
    systemctl daemon-reload
    systemctl enable --quiet "$SERVICE"
    systemctl enable --quiet --now "$OFF.path"
    udevadm control --reload 2>/dev/null || true
    systemctl reset-failed "$SERVICE" 2>/dev/null || true
    systemctl restart "$SERVICE"
}

# Keeps the release that runs and the one before.
prune() {
    keep="$(readlink "$PREFIX/current") $(readlink "$PREFIX/previous" || true)"
    for old in "$PREFIX"/releases/*; do
        case " $keep " in
        *" $old "*) ;;
        *) rm -rf "$old" ;;
        esac
    done
}

do_install() {
    check install
    make_user
    make_release "$1"
    place_files
    before=$(readlink "$PREFIX/current" || true)
    point current "$release"
    if ! restart; then
        [ -n "$before" ] || fail "the companion does not start; see: journalctl -u $SERVICE"
        point current "$before"
        restart || true
        rm -rf "$release"
        fail "the new release does not start, so the one before runs again; see: journalctl -u $SERVICE"
    fi
    if [ -n "$before" ]; then point previous "$before"; fi
    prune
    say "installed; $("$PREFIX/current/bin/tock" --version), games in $DATA"
}

do_back() {
    check back
    before=$(readlink "$PREFIX/previous") || fail "there is no release before this one"
    now=$(readlink "$PREFIX/current")
    point current "$before"
    point previous "$now"
    restart || fail "the release before does not start either; see: journalctl -u $SERVICE"
    say "went back to $before"
}

do_remove() {
    [ "$(id -u)" -eq 0 ] || fail "this needs the superuser: sudo $0 remove"
    if systemd_runs; then systemctl disable --quiet --now "$SERVICE" "$OFF.path" 2>/dev/null || true; fi
    for unit in "$SERVICE" "$OFF.path" "$OFF.service"; do
        rm -f "/etc/systemd/system/multi-user.target.wants/$unit" "/etc/systemd/system/$unit"
    done
    rm -f "$RULES" "$AVAHI"
    rm -rf "$PREFIX"
    if systemd_runs; then systemctl daemon-reload; fi
    if [ "${1:-}" = --games ]; then
        rm -rf "$DATA"
        say "removed, with all games"
    else
        say "removed; the games stay in $DATA"
    fi
}

case "${1:-}" in
install) do_install "${2:?a source tree or a folder of wheels}" ;;
back) do_back ;;
remove) do_remove "${2:-}" ;;
*) fail "use: $0 install SOURCE | back | remove [--games]" ;;
esac
