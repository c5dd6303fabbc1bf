# Makes the relay of homes far from each other a service of this machine. Read by setup.sh.
# shellcheck shell=sh disable=SC2154
LETSENCRYPT=$ROOT/etc/letsencrypt/live

# The relay starts with the machine from now on, under a name that phones find. The certificate that certbot has for it is
# copied for the relay's user; the relay sees within a minute that there is another.
want_relay() {
    [ -n "$1" ] || fail "say under which public name phones find this machine, for example: relay.example.org"
    case "$1" in *[!a-zA-Z0-9.-]*) fail "$1 is no name of a machine" ;; esac
    folder=$DATA-relay/relay
    as_user tock-relay mkdir -p "$folder"
    install -d "$(dirname "$RELAY_SETTINGS")"
    {
        grep -vE '^TOCK_RELAY_(NAME|CERT|KEY)=' "$RELAY_SETTINGS" 2>/dev/null || true
        echo "TOCK_RELAY_NAME=$1"
        if [ -e "$LETSENCRYPT/$1/fullchain.pem" ]; then
            echo "TOCK_RELAY_CERT=${folder#"$ROOT"}/public-certificate.pem"
            echo "TOCK_RELAY_KEY=${folder#"$ROOT"}/public-key.pem"
        fi
    } >"$RELAY_SETTINGS.new"
    chmod 600 "$RELAY_SETTINGS.new"
    mv "$RELAY_SETTINGS.new" "$RELAY_SETTINGS"
    if [ -e "$LETSENCRYPT/$1/fullchain.pem" ]; then
        # shellcheck disable=SC2016
        put='umask 077; cat >"$1.new" && mv "$1.new" "$1"'
        as_user tock-relay sh -c "$put" sh "$folder/public-key.pem" <"$LETSENCRYPT/$1/privkey.pem"
        as_user tock-relay sh -c "$put" sh "$folder/public-certificate.pem" <"$LETSENCRYPT/$1/fullchain.pem"
    else
        say "certbot has no certificate for $1, so phones warn of the relay's own one"
    fi
    if systemd_runs; then systemctl daemon-reload; fi
    systemctl ${ROOT:+--root="$ROOT"} enable --quiet "$RELAY_BROKER" "$RELAY" 2>/dev/null || true
}

# Asks for a certificate that phones trust, where there is a terminal to answer in; certbot comes back with each renewal.
fetch_certificate() {
    if [ ! -e "$LETSENCRYPT/$1/fullchain.pem" ] && [ -t 0 ] && command -v certbot >/dev/null; then
        certbot certonly --standalone -d "$1" --deploy-hook "sh $PREFIX/setup.sh relay $1" ||
            say "certbot has fetched no certificate; try again: sudo sh $PREFIX/setup.sh relay $1"
    fi
}

do_relay() {
    check relay
    [ -e "$PREFIX/current" ] || fail "the companion is not installed yet; type: ./install.sh --relay NAME"
    before=$(cat "$RELAY_SETTINGS" 2>/dev/null || true)
    want_relay "${1:-}"
    if systemd_runs; then
        if [ "$before" != "$(cat "$RELAY_SETTINGS")" ]; then systemctl stop "$RELAY" 2>/dev/null || true; fi
        for unit in "$RELAY_BROKER" "$RELAY"; do
            # One that runs goes on: lines of tables that play would break, and it sees a new certificate by itself.
            if ! systemctl is-active --quiet "$unit"; then
                systemctl reset-failed "$unit" 2>/dev/null || true
                systemctl start "$unit" || fail "the relay does not start; see: journalctl -u $unit"
            fi
        done
    fi
    fetch_certificate "$1"
    say "tables write relay = \"https://$1\" under [far] in their settings"
}
