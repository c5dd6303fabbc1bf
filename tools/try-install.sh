#!/bin/sh
# Boots a Debian root with systemd in a container and sends the package on its journey (packaging/try/journey.sh).
# Needs the superuser, debootstrap and systemd-container. Usage: try-install.sh PACKAGE.deb [ROOT], ROOT is kept.
set -eu
package=$(realpath "$1")
root=${2:-$(mktemp -d)/root}
here=$(cd "$(dirname "$0")/.." && pwd)
if [ ! -d "$root/etc" ]; then
    echo "tock: making a Debian root in $root"
    debootstrap --include=systemd,systemd-sysv,dbus,python3,python3-venv,ca-certificates,curl,procps,udev,avahi-daemon \
        "${SUITE:-bookworm}" "$root" http://deb.debian.org/debian >"$root.log"
fi
install -m 755 "$here/packaging/try/journey.sh" "$root/root/journey.sh"
install -m 644 "$package" "$root/root/package.deb"
cat >"$root/etc/systemd/system/journey.service" <<UNIT
[Unit]
After=dbus.service network.target
[Service]
Type=oneshot
ExecStart=/root/journey.sh /root/package.deb
ExecStopPost=/bin/systemctl poweroff --no-block
StandardOutput=file:/root/journey.txt
StandardError=inherit
UNIT
ln -sf /etc/systemd/system/journey.service "$root/etc/systemd/system/default.target.wants/journey.service" 2>/dev/null || {
    install -d "$root/etc/systemd/system/multi-user.target.wants"
    ln -sf /etc/systemd/system/journey.service "$root/etc/systemd/system/multi-user.target.wants/journey.service"
}
rm -f "$root/root/journey.txt"
systemd-nspawn --quiet --directory="$root" --boot --register=no --keep-unit --console=pipe </dev/null >"$root/root/console.txt" 2>&1 || true
cat "$root/root/journey.txt"
grep -q 'JOURNEY COMPLETE' "$root/root/journey.txt"
