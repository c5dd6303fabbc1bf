#!/bin/sh
# Passes every gate and fast test that this machine can run, without the superuser, and says what it left out.
# Usage: check.sh, from the project's root.
set -eu
bin=.venv/bin
left_out=
mkdir -p build
list=$PWD/build/check-missing.txt

# Whether this machine has what a part needs; else the part is noted as left out.
has_what() { # PART MEANING
    : >"$list"
    TOCK_LIST_ONLY=$list sh "tools/need-$1.sh"
    [ -s "$list" ] || return 0
    left_out="$left_out
  $2: needs $(tr '\n' ' ' <"$list")"
    return 1
}

make --no-print-directory format-check lint imports types
if has_what node "the page's scripts"; then make --no-print-directory page-check; fi
ignored=
if has_what firmware "the reed board's firmware"; then
    if has_what lint "the firmware's lint"; then make --no-print-directory firmware-lint; else make --no-print-directory firmware; fi
else
    ignored="--ignore=tests/firmware"
fi
has_what voice "the table's voice" || ignored="$ignored --ignore=tests/voice"
# Options have no spaces, so splitting is what is wanted here.
# shellcheck disable=SC2086
$bin/pytest -n auto -m "not slow and not browser and not whole" $ignored

echo
echo "check: all passed. Left out: tests in a browser, of whole games and of processes (\`make test\` runs them)."
[ -z "$left_out" ] || echo "check: left out too, for want of Debian packages:$left_out"
