# shellcheck shell=sh disable=SC2154
# What the trials in a booted Debian root share; each sources it, and names in `units` the services and in `reports` the
# files whose last lines are shown where a step fails.

step() { echo "STEP $(now)s $*"; }
fail() {
    echo "FAIL $*"
    # shellcheck disable=SC2086
    [ -z "$reports" ] || tail -n 40 $reports 2>/dev/null || true
    # shellcheck disable=SC2046,SC2086
    journalctl $(printf -- '-u %s ' $units) -n 40 --no-pager -o cat
    exit 1
}
now() { cut -d' ' -f1 /proc/uptime; }
seconds() { awk -v a="$1" -v b="$(now)" 'BEGIN { printf "%.1f", b - a }'; }
pid() { systemctl show -P MainPID "$1"; }
rss() { awk '/VmRSS/ { print int($2 / 1000) }' "/proc/$1/status"; }
wait_until() {
    tries=0
    until "$@"; do
        tries=$((tries + 1))
        [ $tries -lt 600 ] || fail "never became true: $*"
        sleep 0.1
    done
}
