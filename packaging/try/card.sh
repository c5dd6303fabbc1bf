#!/bin/sh
# Runs as a service inside a booted Debian root whose boot partition has the files of a new card: waits for the first
# start to end and looks at what has become of them. The first step that fails ends it. Usage: card.sh
set -eu
boot=/boot/firmware
report=$boot/tock/first-start.txt
python=/opt/tock-companion/current/bin/python

. /root/steps.sh
units="cloud-final tock-companion" reports="$report $boot/tock/install.txt"

cloud-init schema --config-file /root/card/user-data --schema-type cloud-config >/dev/null || fail "user-data"
cloud-init schema --config-file /root/card/network-config --schema-type network-config >/dev/null || fail "network-config"
step "cloud-init's schema takes user-data and network-config"

# One file for each way of keys: the card's own, and the one of a house with WPA3 alone.
for way in psk sae; do
    rm -rf /tmp/netplan
    install -d /tmp/netplan/etc/netplan
    { sed "s/key-management: psk/key-management: $way/" /root/card/network-config; printf '  renderer: NetworkManager\n'; } \
        >/tmp/netplan/etc/netplan/card.yaml
    chmod 600 /tmp/netplan/etc/netplan/card.yaml
    netplan generate --root-dir /tmp/netplan 2>/dev/null || fail "netplan refuses $way"
    profile=$(cat /tmp/netplan/run/NetworkManager/system-connections/*)
    case "$way" in psk) key=wpa-psk ;; sae) key=sae ;; esac
    echo "$profile" | grep -qx "key-mgmt=$key" || fail "netplan makes no $key of $way"
    echo "$profile" | grep -qxF "psk=mot de passe: 'oui'" || fail "the password did not come through"
done
step "netplan makes profiles of NetworkManager for WPA2 and for WPA3"

since=$(cut -d. -f1 /proc/uptime)
until grep -qE 'the page|could not' $report 2>/dev/null; do
    [ "$(($(cut -d. -f1 /proc/uptime) - since))" -lt 3600 ] || fail "the first start did not end within an hour"
    sleep 1
done
grep -q 'the page answers' $report || fail "the first start"
curl -sf http://127.0.0.1/api/v1/health >/dev/null || fail "the page does not answer"
step "first start: $(tr '\n' ';' <$report)"

grep -q 'mot de passe' $boot/user-data $boot/network-config && fail "passwords are still on the boot partition"
[ "$(cat /etc/hostname)" = tock ] || fail "the name is $(cat /etc/hostname)"
[ "$(readlink /etc/localtime)" = /usr/share/zoneinfo/America/Toronto ] || fail "time zone $(readlink /etc/localtime)"
[ "$(stat -c '%a %U' /etc/tock-companion/own-wifi.json)" = "600 root" ] || fail "the own Wi-Fi's file can be read"
case "$(passwd --status table)" in "table L "*) ;; *) fail "somebody can log in with a password" ;; esac
for unit in tock-companion.service tock-companion-helper.socket; do
    systemctl is-active --quiet $unit || fail "$unit is not active"
done
step "name, time zone, user and the own Wi-Fi's file are as on the card; no password is left on its boot partition"

# Without a radio: the profile alone, by the program's own words, in the NetworkManager that runs here.
systemctl is-active --quiet NetworkManager || fail "NetworkManager does not run"
$python - <<'PY' || fail "the own Wi-Fi's profile"
from tock_companion.machine.network_manager import OWN_PROFILE, NetworkManager
from tock_companion.machine.network import Network

manager = NetworkManager()
for network in (Network("Tock", "k7mq-2x9w-p4ht"), Network("Chez nous: #1", "another; $(password)")):
    manager.set_own(network)
    assert manager.own() == network, manager.own()
manager.comes_up_by_itself(OWN_PROFILE, yes=True)
house = manager.add_house(Network("Maison", "mot de passe"))
assert [profile.name for profile in manager.houses() if profile.uuid == house] == ["Maison"]
PY
profile=$(nmcli --get-values 802-11-wireless.mode,802-11-wireless-security.key-mgmt,ipv4.method,ipv4.addresses connection show tock-own | tr '\n' ' ')
[ "$profile" = "ap wpa-psk shared 10.42.0.1/24 " ] || fail "the own Wi-Fi is $profile"
nmcli connection delete tock-own >/dev/null || fail "the own Wi-Fi's profile does not go"
if nmcli connection show tock-own >/dev/null 2>&1; then fail "the own Wi-Fi's profile stays"; fi
for key in wpa-psk sae; do
    nmcli --offline connection add type wifi con-name house ifname '*' ssid Maison \
        802-11-wireless-security.key-mgmt $key 802-11-wireless-security.psk "mot de passe" | grep -qx "key-mgmt=$key" || fail "nmcli refuses $key"
done
step "NetworkManager $(nmcli --version | grep -o '[0-9.]*$'): the own Wi-Fi's profile made, changed, removed; a house's by WPA2 and by WPA3; no radio here"
echo "not set here: $(cloud-init status --long | grep -A3 '^errors' | tr '\n' ' ')"
echo "TRIAL COMPLETE"
