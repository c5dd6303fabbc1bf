#!/bin/sh
# Builds dist/tock-companion_VERSION_ARCH.deb: our wheel and those of all libraries, set up without a network by setup.sh.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
python=${1:-$root/.venv/bin/python}
version=$("$python" -c 'import tock_companion; print(tock_companion.__version__)')
arch=$(dpkg --print-architecture)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
share=$stage/usr/share/tock-companion
doc=$stage/usr/share/doc/tock-companion
install -d "$stage/DEBIAN" "$share/wheels" "$doc"
echo "tock: collecting wheels"
"$python" -m pip wheel --quiet --wheel-dir "$share/wheels" "$root[pi]"
# Some wheels are for one Python only; add those for the Pythons of Bookworm and Trixie.
machine=$(uname -m)
for wheel in "$share"/wheels/*-cp3*-cp3*.whl; do
    case "$wheel" in *-abi3-*) continue ;; esac
    library=$(basename "$wheel" | cut -d- -f1,2 | sed 's/-/==/')
    for release in 3.11 3.13; do
        "$python" -m pip download --quiet --no-deps --only-binary=:all: --python-version "$release" --implementation cp \
            --platform "manylinux_2_28_$machine" --platform "manylinux_2_17_$machine" --platform "manylinux2014_$machine" \
            --platform "linux_$machine" --dest "$share/wheels" "$library"
    done
done
for file in setup.sh tock-companion.service tock-companion-off.path tock-companion-off.service tock-companion.avahi 60-tock-companion.rules; do
    install -m 644 "$root/packaging/$file" "$share/$file"
done
chmod 755 "$share/setup.sh"
install -m 644 "$root/packaging/deb/copyright" "$doc/copyright"
printf 'tock-companion (%s) stable; urgency=medium\n\n  * See CHANGELOG.md of the project.\n\n -- Tock Companion <tock-companion@users.noreply.github.com>  %s\n' \
    "$version" "$(git -C "$root" log -1 --format=%aD)" | gzip -9n >"$doc/changelog.gz"
chmod 644 "$doc/changelog.gz"
for script in postinst prerm postrm; do install -m 755 "$root/packaging/deb/$script" "$stage/DEBIAN/$script"; done
size=$(du -sk --exclude=DEBIAN "$stage" | cut -f1)
sed -e "s/@VERSION@/$version/" -e "s/@ARCH@/$arch/" -e "s/@SIZE@/$size/" "$root/packaging/deb/control" >"$stage/DEBIAN/control"
(cd "$stage" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$stage/DEBIAN/md5sums"
install -d "$root/dist"
# The time of the last commit: the same sources give the same package.
SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct)
export SOURCE_DATE_EPOCH
# Under its name it appears only when it is whole.
dpkg-deb --root-owner-group -Zxz -z1 --build "$stage" "$root/dist/part" >/dev/null
mv "$root/dist/part" "$root/dist/tock-companion_${version}_$arch.deb"
ls -lh "$root/dist/tock-companion_${version}_$arch.deb"
