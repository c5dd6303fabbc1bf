# shellcheck shell=sh disable=SC2154
# What the trials share that follow a page of the guide; each sources it after steps.sh, and names in `page` the page.
folder=/home/president/tock-companion
printed=/tmp/printed.txt

# The first command of a numbered part of the page.
command_of() { awk -v part="## $1. " 'index($0, part) == 1 { on = 1 } on && /^```$/ { exit } on && sh { print } on && /^```sh$/ { sh = 1 }' "$folder/docs/guide/fr/$page"; }
# As somebody types it who may use sudo, without a terminal: nobody answers a question.
typed() { runuser -u president -- sh -c "cd $folder && $1" </dev/null >$printed 2>&1 || fail "the guide's command: $1"; }
# A machine of that name, and on it the one who types: user_with_clone REPOSITORY.git NAME
user_with_clone() {
    mv "$1" /srv/tock.git
    printf '127.0.0.1 localhost\n127.0.1.1 %s\n127.0.0.1 %s\n' "$(hostname)" "$2" >/etc/hosts
    useradd --create-home --shell /bin/sh president
    chown -R president /srv/tock.git
    echo 'president ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/president
    runuser -u president -- git clone --quiet file:///srv/tock.git $folder
    step "a user who may use sudo; the companion's folder is cloned"
}
cut_power() {
    sync
    echo "POWER CUT"
    systemctl poweroff --force --force >/dev/null 2>&1
    sleep 60
}
