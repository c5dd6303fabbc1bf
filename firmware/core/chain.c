#include "chain.h"

#include "port.h"

#define RING_MAX (BOARDS_MAX * INPUTS_PER_BOARD)

static bool closed(const uint8_t *inputs, uint16_t number) {
    return ((inputs[number / 8u] >> (number % 8u)) & 1u) != 0u;
}

uint8_t chain_alive(const uint8_t *inputs, uint8_t boards) {
    uint8_t alive = 0;
    while (alive < boards) {
        const uint16_t first = (uint16_t)(alive * INPUTS_PER_BOARD);
        if (!closed(inputs, (uint16_t)(first + FIXED_LOW_INPUT)) ||
            closed(inputs, (uint16_t)(first + FIXED_HIGH_INPUT))) {
            break;
        }
        alive++;
    }
    return alive;
}

uint16_t chain_ring(void) {
    for (uint16_t clocks = 0; clocks < RING_MAX; clocks++) {
        (void)port_shift(false);
    }
    if (port_shift(true)) {
        return RING_STUCK;
    }
    for (uint16_t clocks = 1; clocks <= RING_MAX; clocks++) {
        if (port_shift(false)) {
            return clocks;
        }
    }
    return 0;
}
