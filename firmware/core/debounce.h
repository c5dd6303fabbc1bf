/* A change counts when a switch has read the same for a number of scans in a row. */
#ifndef TOCK_DEBOUNCE_H
#define TOCK_DEBOUNCE_H

#include <stdint.h>

#define DEBOUNCE_BYTES 32u /* 256 inputs, one bit each */
#define DEBOUNCE_PLANES 4u /* counts up to 15 */
#define DEBOUNCE_SAMPLES 4u /* equal scans until a change counts: 8 ms at the usual period */
#define DEBOUNCE_SAMPLES_MAX 15u

typedef struct {
    uint8_t stable[DEBOUNCE_BYTES];
    /* The four bits of one counter per input, each bit in a plane of its own, so that eight inputs count at once. */
    uint8_t plane[DEBOUNCE_PLANES][DEBOUNCE_BYTES];
    uint8_t samples; /* 1 to 15 */
} debounce_t;

/* Starts over with all inputs as they read now. */
void debounce_prime(debounce_t *debounce, const uint8_t *raw);

/* Takes eight inputs of a scan in; returns those whose stable state has changed by it. */
uint8_t debounce_byte(debounce_t *debounce, uint8_t index, uint8_t raw);

#endif
