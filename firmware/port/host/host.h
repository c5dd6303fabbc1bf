/* The core as part of a Linux process: the chain is an array, the line a buffer. For fuzzing, property tests and soaks. */
#ifndef TOCK_HOST_H
#define TOCK_HOST_H

#include "board.h"

#define HOST_SENT_MAX 4096u

typedef struct {
    uint8_t closed[CHAIN_BYTES]; /* the switches, fixed inputs included */
    uint8_t boards;              /* sector boards in the chain; its ring is whole */
    uint8_t lit[CHAIN_BYTES];
    uint16_t tone_hz;
    bool reset;
    uint8_t sent[HOST_SENT_MAX];
    uint16_t sent_count;
} host_t;

extern host_t host;

/* Starts with this number of sector boards, all switches open, fixed inputs in place. */
void host_start(uint8_t boards);

/* What identity the host port tells. */
identity_t host_identity(uint32_t nonce);

#endif
