#!/bin/sh
# The companion as a service of this machine: installs, upgrades, goes back, removes. Used by install.sh and by the
# Debian package. Releases lie side by side; `current` points at the one that runs, so going back is one link.
#
# DESTDIR, where it is set, stands before every path, as for an image that is being built.
#
# setup.sh install SOURCE   SOURCE is a source tree, or a folder of wheels (then no network is needed)
# setup.sh install SOURCE club [NAME]   with a club's desk as a service; a machine without a table yet gets the desk alone
# setup.sh club [NAME]      makes the club's desk of what is installed a service, and says where it is and its code
# setup.sh table NAME...    at the club's desk: prints the line to type at each table that has a companion
# setup.sh join ...         that line, at the table
# setup.sh install SOURCE relay NAME   with the relay of homes far from each other; its public name
# setup.sh relay NAME       makes that a service of what is installed, with the certificate that certbot has for the name
# setup.sh back             goes back to the release before; a copy of the games as they are now stays in backups
# setup.sh recover          takes back a release that was being tried when the power went
# setup.sh remove [--games] stops and removes the companion; the games stay unless --games is given
set -eu

ROOT=${DESTDIR:-}
PREFIX=$ROOT/opt/tock-companion
DATA=$ROOT/var/lib/tock-companion
SERVICE=tock-companion.service
UNITS=$ROOT/etc/systemd/system
CLUB=tock-companion-club.service
# What the desk is given besides: its club's name, and TOCK_CLUB_BROKER and the like where somebody adds them.
CLUB_SETTINGS=$ROOT/etc/default/tock-companion-club
CLUB_PORT=8883
RELAY=tock-companion-relay.service
RELAY_BROKER=tock-companion-relay-broker.service
OFF=tock-companion-off
HELPER=tock-companion-helper
WIFI=tock-companion-wifi.service
UPDATE=tock-companion-update.service
RECOVER=tock-companion-recover.service
TRYING=$PREFIX/trying
# The superuser keeps games in a folder of its own: in the service's, its user may have put a link in the way.
KEPT=$PREFIX/before-update
OLDER=$PREFIX/before-update.older
KEPT_BEFORE_0_3=$DATA/before-update
RULES=$ROOT/etc/udev/rules.d/60-tock-companion.rules
AVAHI=$ROOT/etc/avahi/services/tock-companion.service
PORTAL=$ROOT/etc/NetworkManager/dnsmasq-shared.d/tock-companion.conf
UNIT_FILES="$SERVICE $CLUB $RELAY_BROKER $RELAY $OFF.path $OFF.service $HELPER.socket $HELPER@.service $WIFI $UPDATE $RECOVER"
BESIDE="$OFF.path $HELPER.socket $WIFI $RECOVER"
RELAY_SETTINGS=$ROOT/etc/default/tock-companion-relay
FILES=$(cd "$(dirname "$0")" && pwd)
. "$FILES/users.sh"

say() { echo "tock: $*"; }
fail() {
    echo "tock: $*" >&2
    exit 1
}

check() {
    sh "$FILES/need-64-bit.sh" || exit 2
    [ "$(id -u)" -eq 0 ] || fail "this needs the superuser: sudo $0 $*"
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
        fail "Python 3.11 or newer is needed (Raspberry Pi OS Bookworm or newer)"
    python3 -c 'import ensurepip' 2>/dev/null || fail "Debian's python3-venv is missing: sudo apt install python3-venv"
}

# Whether systemd runs here; in a chroot or an image builder it does not, and units are only put in place.
systemd_runs() { [ -d "$ROOT/run/systemd/system" ]; }

# Takes away what an older release did not have yet.
drop_unit() {
    if systemd_runs; then systemctl disable --quiet --now "$1" 2>/dev/null || true; fi
    rm -f "$UNITS/multi-user.target.wants/$1" "$UNITS/$1"
    say "$1 is not of this release; it ends"
}

# Puts the units and rules of a release where the system reads them.
place_files() {
    from=$1/setup
    [ -d "$from" ] || return 0
    for unit in $UNIT_FILES; do
        if [ -e "$from/$unit" ]; then
            install -D -m 644 "$from/$unit" "$UNITS/$unit"
        elif [ -e "$UNITS/$unit" ]; then
            drop_unit "$unit"
        fi
    done
    # Where a release that was being tried is taken back from, whatever has become of its source.
    for script in setup.sh need-64-bit.sh relay.sh users.sh; do
        [ -e "$from/$script" ] || continue
        install -m 755 "$from/$script" "$PREFIX/$script.new"
        mv "$PREFIX/$script.new" "$PREFIX/$script"
    done
    if [ -d "$ROOT/etc/NetworkManager" ]; then install -D -m 644 "$from/tock-companion.dnsmasq" "$PORTAL"; fi
    if [ -d "$ROOT/etc/udev" ]; then install -D -m 644 "$from/60-tock-companion.rules" "$RULES"; fi
    if [ -d "$ROOT/etc/avahi" ]; then install -D -m 644 "$from/tock-companion.avahi" "$AVAHI"; fi
}

write_settings() {
    if [ ! -e "$DATA/tock.toml" ]; then
        as_service "$release/bin/tock" config init "$DATA/tock.toml" --port 80 </dev/null >/dev/null ||
            say "the settings were not written; see: tock config init"
    fi
}

# Points a link at a release in one step, so that a power cut leaves the old or the new one.
point() {
    ln -sfn "$2" "$PREFIX/$1.new"
    mv -T "$PREFIX/$1.new" "$PREFIX/$1"
}

is_enabled() { systemctl ${ROOT:+--root="$ROOT"} is-enabled --quiet "$1" 2>/dev/null; }

# The table, unless this machine is there for the club or the relay alone; these where somebody has asked for them.
services() {
    found=
    for unit in "$SERVICE" "$CLUB" "$RELAY_BROKER" "$RELAY"; do
        if is_enabled "$unit"; then found="$found $unit"; fi
    done
    echo "${found:-$SERVICE}"
}

# `systemctl restart` of a service of Type=notify returns when phones can come, or fails.
restart() {
    services=$(services)
    if ! systemd_runs; then
        # shellcheck disable=SC2086
        if systemctl ${ROOT:+--root="$ROOT"} enable --quiet $services $BESIDE 2>/dev/null; then
            say "systemd does not run here now; the companion starts with the machine"
        else
            say "systemd is not here, so the companion does not start by itself; start it: $PREFIX/current/bin/tock run"
        fi
        return 0
    fi
    systemctl daemon-reload
    # shellcheck disable=SC2086
    systemctl enable --quiet $services $BESIDE
    systemctl start "$OFF.path" "$HELPER.socket"
    udevadm control --reload 2>/dev/null || true
    for unit in $services; do
        systemctl reset-failed "$unit" 2>/dev/null || true
        systemctl restart "$unit" || return 1
    done
}

# The club's desk starts with the machine from now on.
want_club() {
    if [ -n "$1" ]; then
        install -d "$(dirname "$CLUB_SETTINGS")"
        {
            grep -v '^TOCK_CLUB_NAME=' "$CLUB_SETTINGS" 2>/dev/null || true
            printf 'TOCK_CLUB_NAME="%s"\n' "$(printf %s "$1" | tr -d '\n"\\')"
        } >"$CLUB_SETTINGS.new"
        chmod 600 "$CLUB_SETTINGS.new"
        mv "$CLUB_SETTINGS.new" "$CLUB_SETTINGS"
    fi
    if systemd_runs; then systemctl daemon-reload; fi
    systemctl ${ROOT:+--root="$ROOT"} enable --quiet "$CLUB" 2>/dev/null || true
    if systemd_runs && systemctl is-active --quiet mosquitto.service &&
        grep -rqsE "^[[:space:]]*(listener|port)[[:space:]]+$CLUB_PORT" /etc/mosquitto; then
        systemctl disable --quiet --now mosquitto.service
        say "Debian's mosquitto.service is switched off: it had port $CLUB_PORT; the club's desk starts a broker of its own"
    fi
}

# Where the hall's screen and the director's page are, as the desk itself said, and the director's code, which is in no log.
tell_club() {
    systemd_runs || return 0
    journalctl --sync 2>/dev/null || true
    journalctl --unit "$CLUB" --boot --output cat --no-pager 2>/dev/null | grep -E "^The (hall|director)'s " | tail -n 2 |
        sed "s|its code is in .*|its code is $(cat "$DATA/club/director-code.txt" 2>/dev/null || true)|" || true
}

# Copies the games into a folder of the superuser's, or says that it could not. Their own user reads them; here they
# are one file that nobody unpacks.
keep_games() {
    # shellcheck disable=SC2016
    as_service sh -c 'cd "$1" || exit 1; set -- games.sqlite*; [ ! -e "$1" ] || exec tar -cf - "$@"' sh "$DATA" \
        </dev/null >"$1/games.tar"
}

# Puts games that were kept in the place of those that are there.
put_games() {
    # shellcheck disable=SC2016
    as_service sh -c 'cd "$1" && rm -rf games.sqlite*' sh "$DATA" </dev/null || return 1
    [ ! -s "$1/games.tar" ] || as_service tar -C "$DATA" -xf - <"$1/games.tar"
}

# Whether what is kept are the games of a release.
is_kept_for() { [ "$(cat "$1/release" 2>/dev/null)" = "$2" ]; }

# Before another release is tried than the one that ran so far: the games as they are, whose they are, and so where
# to go back to. From here until `end_trial` a power cut is undone by `recover` at the next start.
begin_trial() {
    if systemd_runs; then systemctl stop "$SERVICE"; fi
    # The setup.sh of a release before 0.3 would put back what it finds there, however old.
    rm -rf "$KEPT" "$KEPT_BEFORE_0_3"
    install -d -m 700 "$KEPT"
    if ! keep_games "$KEPT"; then
        rm -rf "$KEPT"
        if systemd_runs && is_enabled "$SERVICE"; then systemctl start "$SERVICE"; fi
        return 1
    fi
    echo "$1" >"$KEPT/release"
    sync
    echo "$1" >"$TRYING.new"
    mv "$TRYING.new" "$TRYING"
}

end_trial() { rm -f "$TRYING"; }

# The release before, with the games as they were: a newer one may have changed their form.
take_back() {
    if systemd_runs && systemctl is-active --quiet "$SERVICE"; then systemctl stop "$SERVICE"; fi
    if is_kept_for "$KEPT" "$1" && ! put_games "$KEPT"; then
        say "the games of then could not be put back; they stay in $KEPT/games.tar"
    fi
    place_files "$1"
    place_data || say "the data of relay and club stay where they are"
    point current "$1"
    sync
    end_trial
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
    # Only a source tree or a package makes a release; to go back or to recover needs none of it.
    . "$FILES/install-release.sh"
    make_users
    make_release "$1"
    before=$(readlink "$PREFIX/current" || true)
    if [ -n "$before" ] && ! begin_trial "$before"; then
        rm -rf "$release"
        fail "there is no room to keep the games while the new release is tried; the old one goes on; free space"
    fi
    place_files "$release"
    if ! place_data; then
        [ -z "$before" ] || take_back "$before"
        rm -rf "$release"
        fail "there is no room to move the data of relay and club; the old release goes on; free space"
    fi
    if [ "${2:-}" = club ]; then want_club "${3:-}"; fi
    if [ "${2:-}" = relay ]; then
        . "$FILES/relay.sh"
        want_relay "${3:-}"
    fi
    write_settings
    point current "$release"
    if ! restart; then
        [ -n "$before" ] || fail "the companion does not start; see: journalctl -u ${unit:-$SERVICE}"
        take_back "$before"
        restart || true
        rm -rf "$release"
        fail "the new release does not start, so the one before runs again; see: journalctl -u $SERVICE"
    fi
    end_trial
    if [ -n "$before" ]; then point previous "$before"; fi
    prune
    # At the end, as it may open a Wi-Fi: whoever installs over the network has seen all of the above.
    if systemd_runs; then systemctl start --no-block "$WIFI"; fi
    say "installed; $("$PREFIX/current/bin/tock" --version), games in $DATA"
    if [ "${2:-}" = club ]; then tell_club; fi
    if [ "${2:-}" = relay ]; then fetch_certificate "$3"; fi
}

do_club() {
    check club
    [ -e "$PREFIX/current" ] || fail "the companion is not installed yet; type: ./install.sh --club"
    want_club "${1:-}"
    if systemd_runs; then
        systemctl reset-failed "$CLUB" 2>/dev/null || true
        systemctl restart "$CLUB" || fail "the club's desk does not start; see: journalctl -u $CLUB"
    fi
    tell_club
}

# A command of the companion on data of its own, as their user: as_companion USER FOLDER ARGUMENT...
as_companion() {
    (
        cd /
        as=$1 data=$2
        shift 2
        as_user "$as" env "TOCK_DATA=$data" "$PREFIX/current/bin/tock" "$@" </dev/null
    )
}

do_table() {
    check table
    as_companion tock-club "$DATA-club" club table "$@"
}

do_join() {
    check join
    as_companion tock "$DATA" club join "$@" || exit $?
    if systemd_runs; then systemctl restart "$SERVICE"; fi
}

# What a way back that failed had put aside is what it was.
keep_older() {
    if [ -d "$OLDER" ]; then
        rm -rf "$KEPT"
        mv "$OLDER" "$KEPT"
    fi
}

# The release before may not read what a newer one has written since. Then it gets the games of the day it was
# replaced, if they are still kept; those played since are in the copy in either case.
do_back() {
    check back
    before=$(readlink "$PREFIX/previous" || true)
    [ -d "$before" ] || fail "there is no release before this one"
    now=$(readlink "$PREFIX/current")
    copy=
    if [ -e "$DATA/games.sqlite" ]; then
        copy=$DATA/backups/before-going-back-$(date +%Y%m%d-%H%M%S).sqlite
        as_service env "TOCK_DATA=$DATA" "$now/bin/tock" game backup "$copy" </dev/null >/dev/null ||
            fail "so the games could not be copied, and nothing was changed"
        say "the games as they are now stay in $copy"
    fi
    if [ -d "$KEPT" ]; then
        rm -rf "$OLDER"
        mv "$KEPT" "$OLDER"
    fi
    if ! begin_trial "$now"; then
        keep_older
        fail "there is no room to keep the games while the release before is tried; free space"
    fi
    place_files "$before"
    place_data || say "the data of relay and club stay where they are"
    point current "$before"
    if ! restart; then
        if is_kept_for "$OLDER" "$before" && put_games "$OLDER" && restart; then
            say "that release cannot read the games of now, so it has those of the day it was replaced"
            say "once a newer release runs again, this brings the others back: tock game restore $copy"
        else
            take_back "$now"
            keep_older
            restart || true
            fail "the release before does not start, so this one goes on with its games; see: journalctl -u $SERVICE"
        fi
    fi
    end_trial
    point previous "$now"
    rm -rf "$OLDER"
    say "went back to $before"
}

do_recover() {
    before=$(cat "$TRYING" 2>/dev/null) || return 0
    tried=$(readlink "$PREFIX/current")
    take_back "$before"
    keep_older
    if systemd_runs; then systemctl daemon-reload || true; fi
    # Whoever was going back keeps that release.
    if [ "$tried" != "$before" ] && [ "$tried" != "$(readlink "$PREFIX/previous")" ]; then rm -rf "$tried"; fi
    say "a release was being tried when the machine stopped; the one before is back, with the games of then"
}

do_remove() {
    [ "$(id -u)" -eq 0 ] || fail "this needs the superuser: sudo $0 remove"
    # shellcheck disable=SC2086
    if systemd_runs; then systemctl disable --quiet --now $SERVICE $CLUB $RELAY $RELAY_BROKER $BESIDE 2>/dev/null || true; fi
    for unit in $UNIT_FILES; do
        rm -f "$UNITS/multi-user.target.wants/$unit" "$UNITS/sockets.target.wants/$unit" "$UNITS/$unit"
    done
    rm -f "$RULES" "$AVAHI" "$PORTAL"
    rm -rf "$PREFIX" "$ROOT/var/lib/tock-companion-helper"
    if systemd_runs; then systemctl daemon-reload; fi
    if [ "${1:-}" = --games ]; then
        rm -rf "$DATA" "$DATA-club" "$DATA-relay" "$CLUB_SETTINGS" "$RELAY_SETTINGS"
        say "removed, with all games"
    else
        say "removed; the games stay in $DATA"
    fi
}

case "${1:-}" in
install) do_install "${2:?a source tree or a folder of wheels}" "${3:-}" "${4:-}" ;;
club) do_club "${2:-}" ;;
relay)
    . "$FILES/relay.sh"
    do_relay "${2:-}"
    ;;
table | join)
    verb=$1
    shift
    "do_$verb" "$@"
    ;;
back) do_back ;;
recover) do_recover ;;
remove) do_remove "${2:-}" ;;
*) fail "use: $0 install SOURCE [club [NAME] | relay NAME] | club [NAME] | relay NAME | table NAME... | join ... | back | recover | remove [--games]" ;;
esac
