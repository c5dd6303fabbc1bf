#!/bin/sh
# Boots a Debian root with systemd in a container without any network, and runs a trial of packaging/try there: the
# package's whole life, a game on the last release that goes on with the next, a new memory card's first start, or by the
# guide a club's machine or a relay, which take the network of this machine. Needs the superuser. Roots are made
# once and kept, trials run on copies of them.
# Usage: try-booted.sh package PACKAGE.deb | update FOLDER | card PACKAGE.deb TOCK | club|relay REPOSITORY.git
# FOLDER is what `python -m tools.release.trial` has filled, TOCK the program that makes a card.
# SUITE (trixie) and ROOTS (/var/tmp/tockroots) may be set.
set -eu
kind=$1
package=$(realpath "$2")
here=$(cd "$(dirname "$0")/.." && pwd)
suite=${SUITE:-trixie}
# Both trials of packages begin in the same root.
case "$kind" in
card) like=card trial=card.sh ;;
update) like=package trial=update.py ;;
club | relay) like=club trial=$kind.sh ;;
*) like=package trial=package.sh ;;
esac
kept=${ROOTS:-/var/tmp/tockroots}/$like-$suite
root=${ROOTS:-/var/tmp/tockroots}/$kind-$suite.trial
include=systemd,systemd-sysv,dbus,udev,python3,python3-venv,ca-certificates,curl,procps,avahi-daemon
# What Raspberry Pi OS Lite has besides, as far as a card's first start meets it.
[ "$kind" != card ] || include=$include,cloud-init,netplan.io,network-manager,dnsmasq-base,wpasupplicant,rfkill,iw,polkitd,sudo,locales,tzdata,systemd-timesyncd
# What a computer has on which somebody installed Debian and ticked nothing, and git, without which nothing is cloned.
[ "$like" != club ] || include=systemd,systemd-sysv,dbus,udev,ca-certificates,procps,sudo,python3,git,curl
for tool in mmdebstrap systemd-nspawn; do
    command -v "$tool" >/dev/null || sh "$here/tools/apt-install.sh" "the container" mmdebstrap systemd-container
done

if [ ! -e "$kept/etc/os-release" ]; then
    echo "tock: making a Debian root in $kept"
    mkdir -p "$(dirname "$kept")"
    rm -rf "$kept.part"
    mmdebstrap --quiet --mode=root --variant=minbase --aptopt='APT::Install-Recommends "false"' --include="$include" \
        "$suite" "$kept.part" http://deb.debian.org/debian
    mv "$kept.part" "$kept"
fi
rm -rf "$root"
cp -a --reflink=auto "$kept" "$root"

# As public sources describe Raspberry Pi OS: cloud-init reads the boot partition, netplan gives all to NetworkManager,
# and the radio is blocked until a country is known.
put_card() {
    work=$(mktemp -d)
    TOCK_HOUSE_PASSWORD="mot de passe: 'oui'" "$1" image-files --country CA --house 'Chez "nous": #1' \
        --arch "$(dpkg --print-architecture)" --package "$package" --out "$work/card" >/dev/null
    install -d "$root/boot/firmware" "$root/etc/cloud/cloud.cfg.d" "$root/etc/netplan" "$root/var/lib/NetworkManager"
    rm -rf "${root:?}/boot/firmware"/*
    cp -r "$work/card/boot/." "$root/boot/firmware/"
    cp -r "$work/card/boot" "$root/root/card"
    rm -rf "$work"
    printf 'datasource_list: [NoCloud, None]\ndatasource: {NoCloud: {seedfrom: "file:///boot/firmware"}}\nsystem_info: {network: {renderers: [netplan]}}\n' \
        >"$root/etc/cloud/cloud.cfg.d/99_raspberry-pi.cfg"
    printf 'network:\n  version: 2\n  renderer: NetworkManager\n' >"$root/etc/netplan/00-network-manager-all.yaml"
    chmod 600 "$root/etc/netplan"/*.yaml
    printf '[main]\nWirelessEnabled=false\n' >"$root/var/lib/NetworkManager/NetworkManager.state"
    echo raspberrypi >"$root/etc/hostname"
    : >"$root/etc/machine-id"
}
if [ "$kind" = card ]; then put_card "$3"; fi
# As a Raspberry Pi that was online once: apt knows packages that it cannot fetch now.
network=--private-network
if [ "$kind" = update ] || [ "$like" = club ]; then
    rm -f "$root/etc/apt/apt.conf.d/99mmdebstrap"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    chroot "$root" apt-get update -qq
fi
# A proxy between here and the network may have a certificate of its own.
if [ "$like" = club ]; then
    network=--resolv-conf=off
    cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
fi

cp -r "$package" "$root/root/package"
install -m 755 "$here/packaging/try/$trial" "$root/root/trial"
install -m 644 "$here/packaging/try/steps.sh" "$here/packaging/try/guide.sh" "$root/root"
cat >"$root/etc/systemd/system/trial.service" <<UNIT
[Unit]
After=dbus.service network.target
[Service]
Type=exec
ExecStart=/root/trial /root/package
ExecStopPost=/bin/systemctl poweroff --no-block
StandardOutput=append:/root/trial.txt
StandardError=inherit
UNIT
install -d "$root/etc/systemd/system/multi-user.target.wants"
ln -sf /etc/systemd/system/trial.service "$root/etc/systemd/system/multi-user.target.wants/trial.service"
boot() {
    # What shares this machine's network has no rights over it.
    rights=--capability=all
    [ "$like" != club ] || rights=
    # shellcheck disable=SC2086
    systemd-nspawn --quiet --directory="$root" --boot --register=no --keep-unit $network $rights --console=pipe \
        </dev/null >>"$root/root/console.txt" 2>&1 || true
}
boot
# A trial that has cut the power goes on after the next start.
if grep -qx "POWER CUT" "$root/root/trial.txt"; then boot; fi
cat "$root/root/trial.txt"
grep -q 'TRIAL COMPLETE' "$root/root/trial.txt"
rm -rf "$root"
