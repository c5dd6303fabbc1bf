/* CRC-16/IBM-3740: polynomial 0x1021, start 0xFFFF, not reflected, no final xor. */
#ifndef TOCK_CRC_H
#define TOCK_CRC_H

#include <stdint.h>

#define CRC_START 0xFFFFu

/* Takes one more byte in. */
uint16_t crc_next(uint16_t crc, uint8_t byte);

/* Returns the checksum of some bytes. */
uint16_t crc_of(const uint8_t *bytes, uint8_t count);

#endif
