#!/bin/sh
# Ends with one line on a 32-bit system, for which the libraries have no wheels: pip would compile for hours, or fail.
# dpkg is asked, not uname: Raspberry Pi OS (32-bit) runs on a 64-bit kernel.
if command -v dpkg >/dev/null 2>&1; then
    case "$(dpkg --print-architecture)" in
    armhf | armel | i386) bits=32 ;;
    *) bits=64 ;;
    esac
else
    bits=$(getconf LONG_BIT 2>/dev/null || echo 64)
fi
if [ "$bits" = 32 ]; then
    echo "tock: this system is 32-bit; use Raspberry Pi OS (64-bit)" >&2
    exit 2
fi
