#include "frame.h"

#include "crc.h"

typedef struct {
    uint8_t *code;  /* where the count of the running group goes */
    uint8_t *at;
} stuffer_t;

static void stuff(stuffer_t *to, uint8_t byte) {
    if (byte == 0u) {
        *to->code = (uint8_t)(to->at - to->code);
        to->code = to->at;
        to->at++;
    } else {
        *to->at = byte;
        to->at++;
    }
}

static uint16_t stuff_and_sum(stuffer_t *to, uint8_t byte, uint16_t crc) {
    stuff(to, byte);
    return crc_next(crc, byte);
}

uint8_t frame_write(uint8_t *wire, uint8_t type, uint8_t seq, const uint8_t *payload, uint8_t size) {
    wire[0] = 0u;
    stuffer_t to = {wire + 1, wire + 2};
    uint16_t crc = stuff_and_sum(&to, type, CRC_START);
    crc = stuff_and_sum(&to, seq, crc);
    for (uint8_t i = 0; i < size; i++) {
        crc = stuff_and_sum(&to, payload[i], crc);
    }
    stuff(&to, (uint8_t)(crc & 0xFFu));
    stuff(&to, (uint8_t)(crc >> 8));
    *to.code = (uint8_t)(to.at - to.code);
    *to.at = 0u;
    return (uint8_t)(to.at - wire + 1);
}

/* Undoes the stuffing in place; returns the size, 0 for bytes that no sender makes. */
static uint8_t unstuff(uint8_t *bytes, uint8_t count) {
    uint8_t from = 0;
    uint8_t to = 0;
    while (from < count) {
        const uint8_t code = bytes[from];
        if (code > count - from) {
            return 0;
        }
        for (uint8_t i = 1; i < code; i++) {
            bytes[to] = bytes[from + i];
            to++;
        }
        from = (uint8_t)(from + code);
        if (from < count) {
            bytes[to] = 0u;
            to++;
        }
    }
    return to;
}

static bool complete(frame_reader_t *reader) {
    uint8_t *bytes = reader->bytes;
    const uint8_t size = unstuff(bytes, reader->count);
    if (size < FRAME_OVERHEAD || crc_of(bytes, (uint8_t)(size - 2u)) != get_u16(bytes + size - 2u)) {
        return false;
    }
    reader->type = bytes[0];
    reader->seq = bytes[1];
    reader->payload = bytes + 2;
    reader->size = (uint8_t)(size - FRAME_OVERHEAD);
    return true;
}

bool frame_read(frame_reader_t *reader, uint8_t byte) {
    if (byte != 0u) {
        if (reader->count < FRAME_CODED) {
            reader->bytes[reader->count] = byte;
            reader->count++;
        } else {
            reader->flooded = true;
        }
        return false;
    }
    bool good = false;
    if (reader->count > 0u) {
        good = !reader->flooded && complete(reader);
        if (!good) {
            reader->bad++;
        }
    }
    reader->count = 0;
    reader->flooded = false;
    return good;
}
