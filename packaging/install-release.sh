# Makes a release: its folder, its virtual environment, and what goes and comes back with it. Read by setup.sh.
# shellcheck shell=sh disable=SC2154

has_system() { python3 -c "import importlib.util, sys; sys.exit(importlib.util.find_spec('$1') is None)" 2>/dev/null; }

# libcamera, and lgpio for Python 3.13 and newer, are only in the system's own Python.
venv_options() { if has_system picamera2 || has_system lgpio; then echo --system-site-packages; fi; }

# Only wheels: compiling takes hours on a Pi, and needs tools that nobody installed. What the release
# cannot do without is its own, even where the system has it too: that changes under a release.
install_wheels() {
    release=$1
    source=$2
    extra=$3
    own=
    [ -n "$extra" ] || own=--ignore-installed
    if ls "$source"/tock_companion-*.whl >/dev/null 2>&1; then
        "$release/bin/pip" install --quiet $own --no-index --find-links "$source" "tock-companion$extra"
    else
        "$release/bin/pip" install --quiet $own --only-binary=:all: "$source$extra"
    fi
}

# Of a source tree: exactly the wheels that the Debian packages carry, each checked by its hash, and ours built by a
# checked hatchling.
collect_wheels() {
    python=$1
    source=$2
    list=$3
    wheels=$4
    "$python" -m pip download --quiet --no-deps --require-hashes --only-binary=:all: --dest "$wheels" --requirement "$list"
    sh "$source/packaging/deb/build-wheel.sh" "$python" "$source" "$wheels"
}

# What a table can do without; it never stops an installation.
install_optional() {
    if ! install_wheels "$1" "$2" "[club]"; then
        say "the libraries of a club's desk were not installed; a table works without, and joins a club without"
    fi
    if ! install_wheels "$1" "$2" "[workshop]"; then
        say "ezdxf was not installed, so no drawings in DXF; those in SVG and PDF need nothing more"
    fi
    if has_system picamera2 && ! install_wheels "$1" "$2" "[ribbon]"; then
        say "the ribbon camera's library was not installed; a USB camera works without"
    fi
    if ! install_wheels "$1" "$2" "[pi]"; then
        say "gpiozero was not installed, so no panel of buttons and lights; everything else works"
    elif [ "$(dpkg --print-architecture)" = arm64 ] && ! LG_WD=$1 "$1/bin/python" -c 'import lgpio' 2>/dev/null; then
        say "lgpio is missing, so no panel of buttons and lights; for one: sudo apt install python3-lgpio, then install again"
    fi
}

make_release() {
    source=$1
    release=$PREFIX/releases/$(date +%Y%m%d-%H%M%S)
    install -d "$PREFIX/releases"
    say "making $release"
    # Nothing half done: a release that cannot be completed is taken away again.
    trap 'rm -rf "$release"' EXIT
    # shellcheck disable=SC2046
    python3 -m venv $(venv_options) "$release"
    if ! ls "$source"/tock_companion-*.whl >/dev/null 2>&1; then
        version=$("$release/bin/python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
        list=$source/packaging/deb/wheels/$(dpkg --print-architecture)-$version.txt
        say "fetching the libraries, some minutes"
        if [ -e "$list" ]; then
            # No `if` around it: a wrong hash ends the installation.
            collect_wheels "$release/bin/python" "$source" "$list" "$release/wheels"
            source=$release/wheels
        else
            say "no list of checked libraries for Python $version on this machine; taking the newest ones"
        fi
    fi
    install_wheels "$release" "$source" ""
    install_optional "$release" "$source"
    rm -rf "$release/wheels"
    "$release/bin/tock" rules list >/dev/null || fail "the new release does not start; the old one stays"
    # What belongs to a release goes and comes back with it.
    install -d "$release/setup"
    for file in "$FILES"/tock-companion* "$FILES/60-tock-companion.rules"; do install -m 644 "$file" "$release/setup/"; done
    for script in setup.sh need-64-bit.sh relay.sh users.sh; do install -m 755 "$FILES/$script" "$release/setup/"; done
    trap - EXIT
}
