#!/bin/sh
# Builds dist/tock-companion_VERSION_ARCH.deb for amd64 or arm64 on any machine: our wheel and those of all libraries for
# the Pythons of Bookworm and Trixie, set up without a network by setup.sh. The same sources give the same bytes.
# Usage: make-deb.sh PYTHON [ARCH]
set -eu
umask 022
root=$(cd "$(dirname "$0")/.." && pwd)
python=$1
arch=${2:-}
limit_mb=90
for tool in dpkg-deb ar xz; do
    command -v $tool >/dev/null || sh "$root/tools/apt-install.sh" "the package" dpkg-dev xz-utils
done
[ -n "$arch" ] || arch=$(dpkg --print-architecture)
case "$arch" in
# Jumps within compiled libraries are made absolute for xz, which saves a hundredth; xz before 5.4 cannot for arm64.
amd64) machine=x86_64 jumps=--x86 ;;
arm64) machine=aarch64 jumps= ;;
*)
    echo "tock: there is no package for $arch; type: make deb ARCH=arm64 (or ARCH=amd64)" >&2
    exit 2
    ;;
esac
# The time of the last commit.
SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct)
export SOURCE_DATE_EPOCH
version=$(cd "$root" && "$python" -m tools.release.versions)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
stage=$work/stage
lib=$stage/usr/lib/tock-companion
doc=$stage/usr/share/doc/tock-companion
install -d "$stage/DEBIAN" "$lib/wheels" "$doc"

echo "tock: collecting wheels for $arch"
sh "$root/packaging/deb/build-wheel.sh" "$python" "$root" "$lib/wheels"
for release in 3.11 3.13; do
    "$python" -m pip download --quiet --no-deps --require-hashes --only-binary=:all: --implementation cp \
        --python-version "$release" --platform "manylinux_2_34_$machine" --platform "manylinux_2_28_$machine" \
        --platform "manylinux_2_17_$machine" --platform "manylinux2014_$machine" \
        --dest "$lib/wheels" --requirement "$root/packaging/deb/wheels/$arch-$release.txt"
done
# Stored, and so compressed with the package as a whole: a quarter less to carry.
"$python" "$root/tools/store_wheels.py" "$lib/wheels"
chmod 644 "$lib"/wheels/*

for file in "$root"/packaging/tock-companion* "$root/packaging/60-tock-companion.rules"; do
    install -m 644 "$file" "$lib/"
done
for script in setup.sh install-release.sh need-64-bit.sh relay.sh users.sh; do install -m 755 "$root/packaging/$script" "$lib/$script"; done
install -m 644 "$root/packaging/deb/copyright" "$doc/copyright"
{
    printf 'tock-companion (%s) stable; urgency=medium\n\n  * What changed: CHANGELOG.md of the project.\n\n' "$version"
    printf ' -- Tock Companion <tock-companion@users.noreply.github.com>  %s\n' "$(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")"
} | gzip -9n >"$doc/changelog.gz"
for script in postinst prerm postrm; do install -m 755 "$root/packaging/deb/$script" "$stage/DEBIAN/$script"; done
# Sizes of files, not of blocks, which differ between file systems.
size=$(find "$stage/usr" -type f -printf '%s\n' | awk '{ sum += int(($1 + 1023) / 1024) } END { print sum }')
sed -e "s/@VERSION@/$version/" -e "s/@ARCH@/$arch/" -e "s/@SIZE@/$size/" "$root/packaging/deb/control" >"$stage/DEBIAN/control"
(cd "$stage" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$stage/DEBIAN/md5sums"

# The dictionary of 64 MiB reaches over the largest wheel that each Python has for itself (NumPy, 57 MB) and finds what the
# two share: a fifth less than dpkg-deb writes, which has such a one only with its slowest level. One thread, as what
# several write depends on their number. Level 3 takes three minutes more than level 1 and saves a fiftieth.
dpkg-deb --root-owner-group -Znone --build "$stage" "$work/plain.deb" >/dev/null
(cd "$work" && ar x "$work/plain.deb" && xz --threads=1 $jumps --lzma2=preset=3,dict=64MiB control.tar data.tar &&
    ar qcD package debian-binary control.tar.xz data.tar.xz)
size=$(($(stat -c %s "$work/package") / 1000000))
[ "$size" -lt "$limit_mb" ] || {
    echo "tock: the package for $arch would have $size MB, its limit is $limit_mb; look at what the new wheels bring" >&2
    exit 1
}
install -d "$root/dist"
# Under its name the package appears only when it is whole.
package=$root/dist/tock-companion_${version}_$arch.deb
cp "$work/package" "$package.part"
mv "$package.part" "$package"
echo "tock: wrote ${package#"$root"/}, $size MB"
