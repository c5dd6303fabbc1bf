#!/bin/sh
# Runs as a service inside a booted Debian root: installs the package, plays, upgrades, breaks things, removes, and
# installs again. Each step prints one line; the first that fails ends the trial. Usage: package.sh PACKAGE.deb
set -eu
package=$1
url=http://127.0.0.1
jar=/tmp/jar
unit=tock-companion.service
games=/var/lib/tock-companion

. /root/steps.sh
units=$unit reports=

view() { curl -sf -b $jar "$url/api/v1/view?role=seat"; }
answers() { curl -sf "$url/api/v1/health" >/dev/null; }
seq_of() { view | grep -o '"seq":[0-9]*'; }
other_process() { [ "$(pid $unit)" != "$old" ] && answers; }

dpkg -P tock-companion >/dev/null 2>&1 || true
start=$(now)
dpkg -i "$package" >/tmp/dpkg.log 2>&1 || { cat /tmp/dpkg.log; fail "dpkg -i"; }
step "installed in $(seconds "$start") s, $(du -sm /opt/tock-companion | cut -f1) MB in /opt"
systemctl is-active --quiet $unit || fail "not active"
answers || fail "the page does not answer"
step "active, and the page answers on port 80 as user $(ps -o user= -p "$(pid $unit)")"
step "memory $(rss "$(pid $unit)") MB"
systemd-analyze verify /etc/systemd/system/$unit || fail "systemd-analyze verify"
step "exposure: $(systemd-analyze security $unit --no-pager | tail -1)"

post() { curl -sf -b $jar -c $jar -H 'Content-Type: application/json' -H 'X-Tock: 1' -d "$2" "$url/api/v1/$1"; }
post join '{"name": "Anna", "seat": "P0", "lang": "fr"}' >/dev/null || fail "join"
post request '{"kind": "play_card", "data": {"card": "KH"}}' >/dev/null || fail "play_card"
before=$(seq_of)
step "a card is laid, $before"

start=$(now)
dpkg -i "$package" >/tmp/dpkg.log 2>&1 || { cat /tmp/dpkg.log; fail "upgrade"; }
[ "$(seq_of)" = "$before" ] || fail "the upgrade lost the game"
step "upgraded in $(seconds "$start") s; the running game is kept, Anna still has her seat"

sh /usr/lib/tock-companion/setup.sh back || fail "back"
[ "$(seq_of)" = "$before" ] || fail "going back lost the game"
[ "$(ls $games/backups/before-going-back-*.sqlite | wc -l)" = 1 ] || fail "going back made no copy"
step "went back to the release before; a copy of the games was made first"

# A copy of our wheels in which one file of ours is another: patched FOLDER FILE PATTERN REPLACEMENT
patched() {
    cp -r /usr/lib/tock-companion/wheels "$1"
    python3 - "$1"/tock_companion-*.whl "$2" "$3" "$4" <<'PY'
import os, re, sys, zipfile
path, name, pattern, replacement = sys.argv[1:]
os.rename(path, path + ".old")
changed = 0
with zipfile.ZipFile(path + ".old") as old, zipfile.ZipFile(path, "w") as new:
    for item in old.infolist():
        data = old.read(item).decode("utf-8", "surrogateescape")
        if item.filename.endswith(name):
            data, changed = re.subn(pattern, replacement, data, count=1, flags=re.DOTALL)
        new.writestr(item, data.encode("utf-8", "surrogateescape"))
os.unlink(path + ".old")
assert changed == 1
PY
}

patched /tmp/broken cli/commands/run.py '.*' 'raise SystemExit(3)\n' || fail "no broken release"
if sh /usr/lib/tock-companion/setup.sh install /tmp/broken; then fail "a broken release was accepted"; fi
wait_until answers
[ "$(seq_of)" = "$before" ] || fail "a broken release lost the game"
step "a release that does not start was refused; the one before runs"

step_of_tomorrow='    Migration(100, "99.0.0", "A form that this release cannot read.", _tables(), user_version=100),'
patched /tmp/newer storage/migrations/steps.py '\n\)\n\nUSER_VERSION = ' "\n$step_of_tomorrow\n)\n\nUSER_VERSION = " || fail "no newer release"
sh /usr/lib/tock-companion/setup.sh install /tmp/newer >/tmp/newer.log 2>&1 || { cat /tmp/newer.log; fail "the newer release"; }
post request '{"kind": "undo", "data": {}}' >/dev/null || fail "undo"
newest=$(seq_of)
[ "$newest" != "$before" ] || fail "nothing was played on the newer release"
sh /usr/lib/tock-companion/setup.sh back >/tmp/back.log || { cat /tmp/back.log; fail "back from a newer form of the games"; }
copy=$(sed -n 's/.*tock game restore //p' /tmp/back.log)
[ "$(seq_of)" = "$before" ] || fail "the release before has not its own games"
[ -s "$copy" ] || fail "the games of the newer release are not kept"
sh /usr/lib/tock-companion/setup.sh back >/dev/null || fail "forward again"
systemctl stop $unit
runuser -u tock -- env TOCK_DATA=$games /opt/tock-companion/current/bin/tock game restore "$copy" </dev/null >/tmp/restore.log 2>&1 || { cat /tmp/restore.log; fail "restore"; }
systemctl start $unit
[ "$(seq_of)" = "$newest" ] || fail "what was played on the newer release is lost"
sh /usr/lib/tock-companion/setup.sh back >/dev/null || fail "back once more"
[ "$(seq_of)" = "$before" ] || fail "the release before has not its own games any more"
step "back from a newer form of the games: the older release has its own, the others came back with the newer one"

old=$(pid $unit)
start=$(now)
kill -9 "$old"
wait_until other_process
[ "$(seq_of)" = "$before" ] || fail "kill -9 lost the game"
step "kill -9: up again after $(seconds "$start") s with the game"

old=$(pid $unit)
start=$(now)
kill -STOP "$old"
wait_until other_process
step "a hanging companion was started again after $(seconds "$start") s"

install -d /etc/systemd/system/tock-companion-off.service.d
printf '[Service]\nExecStart=\nExecStart=/bin/rm /run/tock-companion/switch-off\nExecStart=/bin/touch /tmp/switched-off\n' \
    >/etc/systemd/system/tock-companion-off.service.d/try.conf
systemctl daemon-reload
start=$(now)
post host '{}' >/dev/null || fail "host"
post host/shutdown '{}' | grep -q '"machine":true' || fail "the machine is not switched off with the companion"
wait_until test -e /tmp/switched-off
rm -r /tmp/switched-off /etc/systemd/system/tock-companion-off.service.d
systemctl daemon-reload
# The switch may be reached while the companion is still stopping: a start would find it active, and do nothing.
systemctl restart $unit
wait_until answers
step "the host's shut-down reached the machine's switch in $(seconds "$start") s"

if journalctl -u $unit --no-pager -o cat | grep -E '"hand"|hand=\['; then fail "a hand is in the journal"; fi
start=$(now)
dpkg -r tock-companion >/tmp/dpkg.log 2>&1 || { cat /tmp/dpkg.log; fail "remove"; }
if answers; then fail "still answers after removal"; fi
[ -e /var/lib/tock-companion/games.sqlite ] || fail "the games are gone"
[ ! -e /opt/tock-companion ] && [ ! -e /etc/systemd/system/$unit ] || fail "something is left behind"
step "removed in $(seconds "$start") s; the games stay ($(du -k /var/lib/tock-companion/games.sqlite | cut -f1) kB)"
dpkg -i "$package" >/tmp/dpkg.log 2>&1 || { cat /tmp/dpkg.log; fail "install again"; }
[ "$(seq_of)" = "$before" ] || fail "installing again did not find the game"
step "installed again: the game is found"
dpkg -P tock-companion >/tmp/dpkg.log 2>&1 || { cat /tmp/dpkg.log; fail "purge"; }
[ ! -e /var/lib/tock-companion ] || fail "purge left the games"
step "purged: nothing is left"
echo "TRIAL COMPLETE"
