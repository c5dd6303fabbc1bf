#!/bin/sh
# Makes a small arm64 Debian root that runs here by emulation (half an hour), where there is none yet; make arm64 uses two.
# Needs the superuser. Usage: arm64-root.sh SUITE ROOT, SUITE is bookworm or trixie
set -eu
suite=$1
root=$2
[ ! -e "$root/etc/os-release" ] || exit 0
for tool in mmdebstrap qemu-aarch64-static update-binfmts arch-test; do
    command -v "$tool" >/dev/null || sh "$(dirname "$0")/apt-install.sh" "the emulated roots" mmdebstrap qemu-user-static binfmt-support arch-test
done
mountpoint -q /proc/sys/fs/binfmt_misc || mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
update-binfmts --enable qemu-aarch64
echo "tock: making an arm64 root of $suite in $root"
mkdir -p "$(dirname "$root")"
rm -rf "$root.part"
# Neither CPU of a Raspberry Pi 4 or 5 has SVE, which emulators get wrong.
export QEMU_CPU=cortex-a76
# What Raspberry Pi OS Lite has and the companion meets; git for the tests.
nice -n 10 mmdebstrap --quiet --mode=root --variant=minbase --architectures=arm64 --dpkgopt=force-unsafe-io \
    --aptopt='APT::Install-Recommends "false"' --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --include=ca-certificates,git,procps,python3,python3-venv,systemd,udev \
    "$suite" "$root.part" http://deb.debian.org/debian
mv "$root.part" "$root"
