#!/bin/sh
# Counts the instructions of a frame, a decision and a hint with an emulator's plugin, on arm64 (an emulated root with the
# package) and on x86-64 without AVX, which the emulator gets wrong (a virtual environment of the same Python). Usage: count.sh ROOT PYTHON RECORDING
set -eu
root=$1
python=$2
recording=$(realpath "$3")
here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../../../.." && pwd)
command -v qemu-aarch64 >/dev/null || sh "$repository/tools/apt-install.sh" "counting instructions" qemu-user gcc libc6-dev
build=$repository/build/instructions
mkdir -p "$build"
gcc -O2 -shared -fPIC -fvisibility=hidden -o "$build/count.so" "$here/count.c"
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
libraries=$root$(readlink "$root/opt/tock-companion/current")/lib/python$version/site-packages
# The numbers are those of the system call getsid.
qemu-aarch64 -cpu cortex-a76 -L "$root" -plugin "$build/count.so,mark=156" -E PYTHONHOME="$root/usr" -E PYTHONPATH="$libraries" \
    "$root/usr/bin/python$version" "$here/work.py" "$repository" "$recording" >"$build/labels" 2>"$build/arm64"
qemu-x86_64 -cpu Nehalem -plugin "$build/count.so,mark=124" "$python" "$here/work.py" "$repository" "$recording" >"$build/labels" 2>"$build/x86-64"
paste "$build/labels" "$build/x86-64" "$build/arm64" | awk -F '[\t ]' '
    { printf "| %s | %.1f | %.1f | %.2f |\n", $1, ($4 - x) / $2 / 1e6, ($6 - a) / $2 / 1e6, ($6 - a) / ($4 - x); x = $4; a = $6 }'
