#include "debounce.h"

#include <string.h>

void debounce_prime(debounce_t *debounce, const uint8_t *raw) {
    memcpy(debounce->stable, raw, DEBOUNCE_BYTES);
    memset(debounce->plane, 0, sizeof debounce->plane);
}

uint8_t debounce_byte(debounce_t *debounce, uint8_t index, uint8_t raw) {
    const uint8_t differs = raw ^ debounce->stable[index];
    if (differs == 0u) {
        /* The usual case by far: nothing moves, so nothing counts. */
        for (uint8_t bit = 0; bit < DEBOUNCE_PLANES; bit++) {
            debounce->plane[bit][index] = 0;
        }
        return 0;
    }
    uint8_t carry = differs;
    uint8_t full = differs;
    for (uint8_t bit = 0; bit < DEBOUNCE_PLANES; bit++) {
        uint8_t *plane = &debounce->plane[bit][index];
        const uint8_t counted = *plane & differs;
        *plane = counted ^ carry;
        carry &= counted;
        const uint8_t wanted = ((debounce->samples >> bit) & 1u) != 0u ? 0xFFu : 0x00u;
        full &= (uint8_t)~(*plane ^ wanted);
    }
    for (uint8_t bit = 0; bit < DEBOUNCE_PLANES; bit++) {
        debounce->plane[bit][index] &= (uint8_t)~full;
    }
    debounce->stable[index] ^= full;
    return full;
}
