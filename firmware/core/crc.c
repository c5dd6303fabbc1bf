#include "crc.h"

uint16_t crc_next(uint16_t crc, uint8_t byte) {
    /* Eight steps at once without a table, which would cost 512 bytes of flash. */
    uint8_t x = (uint8_t)((crc >> 8) ^ byte);
    x = (uint8_t)(x ^ (x >> 4));
    return (uint16_t)((crc << 8) ^ ((uint16_t)x << 12) ^ ((uint16_t)x << 5) ^ x);
}

uint16_t crc_of(const uint8_t *bytes, uint8_t count) {
    uint16_t crc = CRC_START;
    for (uint8_t i = 0; i < count; i++) {
        crc = crc_next(crc, bytes[i]);
    }
    return crc;
}
