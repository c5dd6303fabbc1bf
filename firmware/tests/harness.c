/* What the Python tests call of the core, through ctypes. */
#include "harness.h"

static board_t board;

uint16_t harness_crc(const uint8_t *bytes, uint8_t count) { return crc_of(bytes, count); }

uint8_t harness_write(uint8_t *wire, uint8_t type, uint8_t seq, const uint8_t *payload, uint8_t size) {
    return frame_write(wire, type, seq, payload, size);
}

uint16_t harness_read(const uint8_t *bytes, uint32_t count, uint8_t *found, uint16_t *bad) {
    frame_reader_t reader = {.count = 0};
    uint16_t size = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (frame_read(&reader, bytes[i])) {
            found[size++] = reader.size;
            found[size++] = reader.type;
            found[size++] = reader.seq;
            memcpy(found + size, reader.payload, reader.size);
            size = (uint16_t)(size + reader.size);
        }
    }
    *bad = reader.bad;
    return size;
}

void harness_debounce(uint8_t samples, uint8_t start, const uint8_t *raw, uint32_t count, uint8_t *stable) {
    static debounce_t debounce;
    uint8_t first[DEBOUNCE_BYTES] = {start};
    debounce.samples = samples;
    debounce_prime(&debounce, first);
    for (uint32_t i = 0; i < count; i++) {
        (void)debounce_byte(&debounce, 0, raw[i]);
        stable[i] = debounce.stable[0];
    }
}

void harness_start(uint8_t boards, uint32_t nonce, uint32_t now_ms) {
    host_start(boards);
    const identity_t identity = host_identity(nonce);
    board_start(&board, &identity, now_ms);
}

void harness_events_from(uint16_t last_seq) { board.events.last_seq = last_seq; }

void harness_switch(uint8_t input, bool closed) {
    const uint8_t bit = (uint8_t)(1u << (input % 8u));
    if (closed) {
        host.closed[input / 8u] |= bit;
    } else {
        host.closed[input / 8u] &= (uint8_t)~bit;
    }
}

void harness_hear(const uint8_t *bytes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        board_receive(&board, bytes[i]);
    }
}

uint16_t harness_run(uint32_t now_ms, uint8_t *sent) {
    board_run(&board, now_ms);
    const uint16_t count = host.sent_count;
    memcpy(sent, host.sent, count);
    host.sent_count = 0;
    return count;
}
