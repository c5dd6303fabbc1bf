#include "port.h"

#include "build.h"
#include "host.h"

host_t host;

static bool ring[BOARDS_MAX * INPUTS_PER_BOARD];

void host_start(uint8_t boards) {
    memset(&host, 0, sizeof host);
    memset(ring, 0, sizeof ring);
    host.boards = boards;
    for (uint8_t board = 0; board < boards; board++) {
        host.closed[board * BOARD_BYTES + FIXED_LOW_INPUT / 8u] = (uint8_t)(1u << (FIXED_LOW_INPUT % 8u));
    }
}

identity_t host_identity(uint32_t nonce) {
    return (identity_t){
        .build = FIRMWARE_BUILD,
        .nonce = nonce,
        .features = FEATURE_LEDS | FEATURE_BUZZER | FEATURE_RING,
        .board_kind = BOARD_KIND_HOST,
        .reset_cause = RESET_CAUSE_POWER_ON,
    };
}

void port_scan(uint8_t *inputs, const uint8_t *leds, uint8_t count) {
    memcpy(inputs, host.closed, count);
    memcpy(host.lit, leds, count);
}

bool port_shift(bool in) {
    const uint16_t length = (uint16_t)(host.boards * INPUTS_PER_BOARD);
    if (length == 0u) {
        return true;
    }
    const bool out = ring[0];
    memmove(ring, ring + 1, (length - 1u) * sizeof *ring);
    ring[length - 1u] = in;
    return out;
}

uint8_t port_room(void) {
    const uint16_t room = (uint16_t)(HOST_SENT_MAX - host.sent_count);
    return room < UINT8_MAX ? (uint8_t)room : UINT8_MAX;
}

void port_send(const uint8_t *bytes, uint8_t count) {
    memcpy(host.sent + host.sent_count, bytes, count);
    host.sent_count = (uint16_t)(host.sent_count + count);
}

void port_tone(uint16_t frequency_hz) { host.tone_hz = frequency_hz; }

void port_reset(void) { host.reset = true; }

uint16_t port_stack_free(void) { return 0; }
