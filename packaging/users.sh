# The users of the services and their folders: the table's, and two that strangers reach. Read by setup.sh.
# shellcheck shell=sh disable=SC2154

# Runs a program as a user of ours, without a terminal into which it could type for the superuser. All work inside
# that user's folder is done this way, so that no link there leads to what only the superuser may read or write.
as_user() {
    who=$1
    shift
    setsid --wait setpriv --reuid "$who" --regid "$who" --init-groups --no-new-privs -- "$@"
}
as_service() { as_user tock "$@"; }

make_user() {
    if ! getent passwd "$1" >/dev/null; then
        useradd --system --user-group --home-dir "$2" --no-create-home --shell /usr/sbin/nologin "$1"
    fi
    install -d -o "$1" -g "$1" -m 750 "$2"
}

make_users() {
    make_user tock "$DATA"
    for group in video audio dialout gpio render; do
        if getent group "$group" >/dev/null; then usermod -aG "$group" tock; fi
    done
    # Strangers reach these: they open neither the games nor the socket of the superuser's helper.
    make_user tock-club "$DATA-club"
    make_user tock-relay "$DATA-relay"
}

# Moves a folder of one user to another user: carry USER FOLDER USER FOLDER NAME.
carry() {
    moved=$PREFIX/moved.tar
    # shellcheck disable=SC2094
    (umask 077 && as_user "$1" tar -C "$2" -cf - "$5" </dev/null >"$moved") &&
        as_user "$3" tar -C "$4" -xf - <"$moved" &&
        as_user "$1" rm -rf "${2:?}/$5" </dev/null || {
        rm -f "$moved"
        return 1
    }
    rm -f "$moved"
}

# Puts the data of relay and club where the units of a release look for them: up to 0.4 they were the table's user's.
place_data() {
    for name in club relay; do
        case "$(sed -n 's/^StateDirectory=//p' "$UNITS/tock-companion-$name.service" 2>/dev/null)" in
        tock-companion) set -- "tock-$name" "$DATA-$name" tock "$DATA" ;;
        "tock-companion-$name") set -- tock "$DATA" "tock-$name" "$DATA-$name" ;;
        *) continue ;;
        esac
        [ -d "$2/$name" ] && [ ! -L "$2/$name" ] && [ ! -e "$4/$name" ] || continue
        if systemd_runs; then
            for unit in $CLUB $RELAY $RELAY_BROKER; do
                case "$unit" in *"-$name"*) systemctl stop "$unit" 2>/dev/null || true ;; esac
            done
        fi
        carry "$@" "$name" || return 1
        if [ "$name" = relay ] && [ -e "$RELAY_SETTINGS" ]; then
            sed "s,=${2#"$ROOT"}/relay/,=${4#"$ROOT"}/relay/," "$RELAY_SETTINGS" >"$RELAY_SETTINGS.new"
            chmod 600 "$RELAY_SETTINGS.new"
            mv "$RELAY_SETTINGS.new" "$RELAY_SETTINGS"
        fi
        say "the data of the $name are now in $4"
    done
}
