#!/bin/sh
# Runs a command in an emulated root (arm64-root.sh), on a copy of this machine's mounts that ends with it; without a
# network unless ARM64_NETWORK=1. Its process is the command's own. Needs the superuser. Usage: arm64-enter.sh ROOT COMMAND...
set -eu
root=$1
shift
if [ -z "${INSIDE:-}" ]; then
    net=
    [ -n "${ARM64_NETWORK:-}" ] || net=--net
    INSIDE=1 exec unshare --mount $net sh "$0" "$root" "$@"
fi
if [ -n "${ARM64_NETWORK:-}" ]; then
    # This machine's names and certificates: it may be behind a proxy.
    for file in /etc/resolv.conf /etc/ssl/certs/ca-certificates.crt; do mount --bind "$file" "$root$file"; done
else
    ip link set lo up
fi
mount --bind /proc "$root/proc"
mount --rbind /dev "$root/dev"
# What is read here and there lies at the same place, so that answers can be compared as they are.
for folder in ${ARM64_SHOW:-}; do
    mkdir -p "$root$folder"
    mount --bind "$folder" "$root$folder"
    mount -o remount,bind,ro "$root$folder"
done
exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 QEMU_CPU=cortex-a76 PIP_CERT=/etc/ssl/certs/ca-certificates.crt \
    chroot "$root" "$@"
