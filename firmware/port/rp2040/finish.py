"""Turns the linked image of the Pico's firmware into the file for the board: `finish.py IMAGE.bin OUT.uf2`.

The ROM runs the boot stage only when its checksum is right (RP2040 data sheet, 2.8.1.3.1); the file format is
Microsoft's UF2.
"""

import struct
import sys
from pathlib import Path

BOOT_BYTES = 256
FLASH_AT = 0x10000000
PART_BYTES = 256
FAMILY_RP2040 = 0xE48BFF56
FIRST_MAGIC, SECOND_MAGIC, LAST_MAGIC = 0x0A324655, 0x9E5D5157, 0x0AB16F30
HAS_FAMILY = 0x00002000


def boot_crc(code: bytes) -> int:
    """The CRC-32 of the boot stage: polynomial 04C11DB7, start FFFFFFFF, not reflected, no final xor."""
    crc = 0xFFFFFFFF
    for byte in code:
        crc ^= byte << 24
        for _ in range(8):
            crc = (crc << 1 ^ (0x04C11DB7 if crc & 0x80000000 else 0)) & 0xFFFFFFFF
    return crc


def with_crc(image: bytes) -> bytes:
    """The image with the checksum of its boot stage in place."""
    code = image[: BOOT_BYTES - 4]
    return code + struct.pack("<I", boot_crc(code)) + image[BOOT_BYTES:]


def to_uf2(image: bytes) -> bytes:
    """The image in blocks of 512 bytes, each with its place in flash."""
    parts = [image[at : at + PART_BYTES].ljust(PART_BYTES, b"\0") for at in range(0, len(image), PART_BYTES)]
    blocks = bytearray()
    for number, part in enumerate(parts):
        place = FLASH_AT + number * PART_BYTES
        head = (FIRST_MAGIC, SECOND_MAGIC, HAS_FAMILY, place, PART_BYTES, number, len(parts), FAMILY_RP2040)
        blocks += struct.pack("<8I", *head) + part.ljust(476, b"\0") + struct.pack("<I", LAST_MAGIC)
    return bytes(blocks)


if __name__ == "__main__":
    source, target = map(Path, sys.argv[1:])
    finished = with_crc(source.read_bytes())
    source.write_bytes(finished)
    target.write_bytes(to_uf2(finished))
