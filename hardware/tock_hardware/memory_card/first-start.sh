#!/bin/sh
# Runs once on a new card, started by cloud-init: switches the radio on, installs the companion from the card and
# starts it. What happened stands beside it in first-start.txt, which any computer can read.
# Usage: first-start.sh COUNTRY
set -u
country=$1
card=$(cd "$(dirname "$0")" && pwd)
boot=$(dirname "$card")

say() { echo "$(cut -d. -f1 /proc/uptime) s: $*" | tee -a "$card/first-start.txt"; }

# A radio of a Raspberry Pi is silent until it knows the country.
allow_radio() {
    raspi-config nonint do_wifi_country "$country" 2>/dev/null || iw reg set "$country" 2>/dev/null || true
    rfkill unblock wifi 2>/dev/null || true
    nmcli radio wifi on 2>/dev/null || true
}

# Without the internet first, as all is on the card; what a system lacks is fetched where there is a network.
install_package() {
    package=$(ls "$card"/tock-companion_*.deb) || return 1
    export DEBIAN_FRONTEND=noninteractive
    apt-get install --yes --no-install-recommends --no-download "$package" >"$card/install.txt" 2>&1 && return 0
    apt-get update >>"$card/install.txt" 2>&1
    apt-get install --yes --no-install-recommends "$package" >>"$card/install.txt" 2>&1
}

# Any computer can read this partition, so the passwords go once they have been taken over.
forget_passwords() {
    printf '#cloud-config\n# Taken over at the first start. Write new files here, meta-data too, to set it up again.\n' \
        >"$boot/user-data"
    printf 'network: {version: 2}\n' >"$boot/network-config"
    chmod 600 /var/lib/cloud/instance/*.txt 2>/dev/null || true
}

: >"$card/first-start.txt"
say "first start, country $country"
allow_radio
if ! install_package; then
    say "the companion could not be installed; install.txt beside this file says why"
    exit 1
fi
say "installed"
rm -f "$card/install.txt"
forget_passwords
if curl --silent --fail --output /dev/null http://127.0.0.1/api/v1/health; then
    say "the page answers"
else
    say "the page does not answer; journalctl -u tock-companion says why"
    exit 1
fi
