#!/bin/sh
# Runs as a service inside a booted Debian root with a network: types the commands of the guide's page for a club, plays a
# round, cuts the power, and goes on after the next start. Each step prints one line; the first that fails ends the trial.
# Usage: club.sh REPOSITORY.git
set -eu
unit=tock-companion-club.service
url=http://127.0.0.1:8091
jar=/root/director
broker_folder=/var/lib/tock-companion-club/club/broker
page=club.md
. /root/steps.sh
. /root/guide.sh
units=$unit reports=$printed

post() { curl -sf -b $jar -c $jar -H 'Content-Type: application/json' -H 'X-Tock: 1' -d "$2" "$url/api/v1/$1"; }
hall() { curl -sf "$url/api/v1/desk/hall"; }
has() { hall | grep -q "$1"; }
answers() { hall >/dev/null 2>&1; }
broker() { pgrep --parent "$(pid $unit)" --exact mosquitto; }
has_broker() { broker >/dev/null; }
another_broker() { [ -n "$(broker)" ] && [ "$(broker)" != "$old" ]; }
another_desk() { [ "$(pid $unit)" != "$old" ] && answers; }
games() { hall | sed 's/.*"games"://; s/"groups".*//'; }
results() { hall | grep -o '"winner":[0-9]' | wc -l; }
code_printed() { grep -o 'its code is [0-9]*' $printed | grep -o '[0-9]*$' | tail -n 1; }
login() { post director/login "{\"pin\": \"$(cat /root/code)\"}" >/dev/null || fail "the director's code"; }
table_is_there() { curl -sf -b $jar "$url/api/v1/director" | grep -q '"name":"chene","online":true'; }

first_evening() {
    user_with_clone "$1" club.example.org

    start=$(now)
    install=$(command_of 1)
    [ -n "$install" ] || fail "the guide has no first command"
    typed "$install"
    code_printed >/root/code
    [ -s /root/code ] || fail "the installation does not say the director's code"
    step "typed: $install; $(seconds "$start") s, and it says: $(tail -n 2 $printed | tr '\n' ' ')"
    answers || fail "the hall does not answer"
    has_broker || fail "no broker runs"
    [ "$(ps -o user= -p "$(broker)")" = tock ] || fail "the broker does not run as the desk's user"
    case "$(find $broker_folder -type f -perm /077)" in ?*) fail "others may read the broker's files" ;; esac
    if systemctl is-enabled --quiet tock-companion.service; then fail "there is a table that nobody asked for"; fi
    step "active, with Mosquitto $(dpkg-query -W -f='${Version}' mosquitto) as its child, user tock; no table of its own"
    systemd-analyze verify /etc/systemd/system/$unit || fail "systemd-analyze verify"
    step "exposure: $(systemd-analyze security $unit --no-pager | tail -1)"
    step "memory: desk $(rss "$(pid $unit)") MB, broker $(rss "$(broker)") MB"

    login
    post director/open '{"name": "Coupe", "rounds": 2}' >/dev/null || fail "open"
    post director/enter '{"text": "Ana\nBéa\nChloé\nDan\nÉlise\nFred\nGaël\nHugo"}' >/dev/null || fail "enter"
    post director/pair '{}' >/dev/null || fail "pair"
    post director/begin '{}' >/dev/null || fail "begin"
    post director/result '{"round": 1, "table": 1, "homes": [4, 2, 1, 0], "winner": 0}' >/dev/null || fail "result"
    [ "$(results)" = 1 ] || fail "the result is not shown"
    step "the director's code opens; eight people, a round begun, one result"
    games >/root/games
    cut_power
}

next_evening() {
    start=$(now)
    wait_until answers
    step "the machine is on again; the hall answers $(seconds "$start") s after this trial's start"
    [ "$(games)" = "$(cat /root/games)" ] || fail "the round is another one"
    wait_until has_broker
    login
    step "the same round, the result, the director's code and the broker are back"

    post director/result '{"round": 1, "table": 2, "homes": [4, 2, 1, 0], "winner": 0}' >/dev/null || fail "result"
    post director/pair '{}' >/dev/null || fail "pair"
    post director/begin '{}' >/dev/null || fail "begin"
    has '"round":2' || fail "round 2"
    step "the tournament goes on with round 2"

    old=$(broker)
    start=$(now)
    kill -9 "$old"
    wait_until another_broker
    step "Mosquitto killed: up again after $(seconds "$start") s"
    old=$(pid $unit)
    start=$(now)
    kill -9 "$old"
    wait_until another_desk
    wait_until has_broker
    has '"round":2' || fail "the round is lost"
    step "the desk killed: up again after $(seconds "$start") s, with its round and a broker"

    typed "$(command_of 1)"
    [ "$(code_printed)" = "$(cat /root/code)" ] || fail "installing again changed the director's code"
    has '"round":2' || fail "installing again lost the round"
    step "the same command once more: the same code, the same round"
    typed "./install.sh"
    answers || fail "an update ends the desk"
    if systemctl is-enabled --quiet tock-companion.service; then fail "an update has made a table"; fi
    systemctl enable --quiet --now tock-companion.service || fail "a table beside the desk"
    curl -sf http://127.0.0.1/api/v1/health >/dev/null || fail "the table does not answer"
    answers || fail "the desk does not answer beside a table"
    step "updated; a table beside the desk, on port 80"
    typed "$(command_of 2)"
    line=$(grep -o 'sudo sh [^ ]*setup.sh join .*' $printed) || fail "no line to type at the table"
    start=$(now)
    typed "$line"
    wait_until table_is_there
    step "typed: $(command_of 2), then at the table the line that it prints; joined after $(seconds "$start") s, over TLS"
    typed "./install.sh --remove"
    # Debian's own is none of ours.
    if answers || pgrep --euid tock-club --exact mosquitto >/dev/null; then fail "something still runs"; fi
    [ -e /var/lib/tock-companion-club/club/club.sqlite3 ] || fail "the evenings are gone"
    step "removed: desk and broker have ended, the evenings stay"
    echo "TRIAL COMPLETE"
}

if [ -e /root/code ]; then next_evening; else first_evening "$1"; fi
