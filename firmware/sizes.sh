#!/bin/sh
# Prints how much of the chip the firmware takes; fails above the limits. Usage: sizes.sh BUILD FLASH RAM FRAME (bytes)
set -eu
build=$1 flash_limit=$2 ram_limit=$3 frame_limit=$4
set -- $(avr-size "$build/tock-reed-avr328.elf" | tail -1)
flash=$(($1 + $2)) ram=$(($2 + $3))
widest=$(cat "$build"/avr328/*/*.su "$build"/avr328/*/*/*.su | sort -t"$(printf '\t')" -k2 -n | tail -1)
frame=$(printf '%s' "$widest" | cut -f2)
echo "flash $flash of 32768 bytes (limit $flash_limit), data $ram of 2048 (limit $ram_limit)," \
    "widest stack frame $frame (limit $frame_limit): $(printf '%s' "$widest" | cut -f1 | sed 's/.*://')"
if cat "$build"/avr328/*/*.su "$build"/avr328/*/*/*.su | grep -q dynamic; then
    echo "a function takes a stack frame of unknown size" >&2
    exit 1
fi
[ "$flash" -le "$flash_limit" ] && [ "$ram" -le "$ram_limit" ] && [ "$frame" -le "$frame_limit" ]
