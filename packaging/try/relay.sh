#!/bin/sh
# Runs as a service inside a booted Debian root with a network: types the command of the guide's page for a relay,
# signs a table up, ends the broker and the power, and goes on after the next start. Each step prints one line; the first
# that fails ends the trial. Usage: relay.sh REPOSITORY.git
set -eu
relay=tock-companion-relay.service
broker=tock-companion-relay-broker.service
name=relay.example.org
data=/var/lib/tock-companion-relay/relay
page=relay.md
. /root/steps.sh
. /root/guide.sh
units="$relay $broker" reports=$printed

# The machine has no certificate of an authority; the relay makes one of its own.
ask() { curl -sk --max-time 10 -H 'Content-Type: application/json' "$@"; }
answers() { ask -f "https://$name/relay/v1/about" >/dev/null 2>&1; }
sign_up() { ask -f -d '{"form": 1}' "$@" "https://$name/relay/v1/tables"; }
field() { sed "s/.*\"$1\": *\"\([^\"]*\)\".*/\1/" /root/table; }
knows_table() { sign_up -u "$(field table):$(field password)" >/dev/null 2>&1; }
another_broker() { pgrep --euid tock-relay --exact mosquitto >/tmp/broker && [ "$(cat /tmp/broker)" != "$old" ]; }

first_evening() {
    user_with_clone "$1" $name

    start=$(now)
    install=$(command_of 2)
    [ -n "$install" ] || fail "the guide has no command"
    typed "$install"
    step "typed: $install; $(seconds "$start") s, and it says: $(tail -n 1 $printed)"
    for unit in $relay $broker; do
        systemctl is-active --quiet $unit || fail "$unit is not active"
        systemctl is-enabled --quiet $unit || fail "$unit does not start with the machine"
        systemd-analyze verify /etc/systemd/system/$unit || fail "systemd-analyze verify"
        step "$unit: user $(ps -o user= -p "$(pid $unit)"), $(rss "$(pid $unit)") MB, exposure $(systemd-analyze security $unit --no-pager | tail -1)"
    done
    if systemctl is-enabled --quiet tock-companion.service; then fail "there is a table that nobody asked for"; fi
    case "$(find $data -type f -perm /077)" in ?*) fail "others may read the relay's files" ;; esac
    wait_until answers
    [ "$(ask -o /dev/null -w '%{http_code}' "https://$name/far")" = 200 ] || fail "the far page"
    sign_up >/root/table || fail "a table cannot sign up"
    knows_table || fail "the table is not known again"
    step "port 443 answers, the far page is there, a table has signed up"

    old=$(pgrep --euid tock --exact mosquitto)
    start=$(now)
    kill -9 "$old"
    wait_until another_broker
    wait_until knows_table
    step "Mosquitto killed: up again after $(seconds "$start") s, and the table is known"
    old=$(pid $relay)
    typed "sudo sh /opt/tock-companion/setup.sh relay $name"
    [ "$(pid $relay)" = "$old" ] || fail "asking for the certificate again ends lines of tables that play"
    step "typed the second line: the relay that runs goes on"
    cut_power
}

next_evening() {
    start=$(now)
    wait_until answers
    wait_until knows_table
    step "the machine is on again; after $(seconds "$start") s the table is known with the password of before"
    typed "./install.sh --remove"
    if answers || pgrep --euid tock --exact mosquitto >/dev/null; then fail "something still runs"; fi
    [ -e $data/relay.key ] || fail "the relay's key is gone"
    step "removed: relay and broker have ended, the key stays"
    echo "TRIAL COMPLETE"
}

if [ -e /root/table ]; then next_evening; else first_evening "$1"; fi
