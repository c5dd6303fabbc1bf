/* The chain of sector boards: which of them answer, and is the ring whole? */
#ifndef TOCK_CHAIN_H
#define TOCK_CHAIN_H

#include "protocol.h"

#define CHAIN_BYTES (BOARDS_MAX * INPUTS_PER_BOARD / 8u)
#define BOARD_BYTES (INPUTS_PER_BOARD / 8u)

/* Returns how many sector boards from the near end have their fixed inputs in place. */
uint8_t chain_alive(const uint8_t *inputs, uint8_t boards);

/* Sends a single bit round the chain; returns the clocks it took, 0 when it never came, RING_STUCK when the line stays high.
 * Spoils what the registers hold, so the next thing must be a scan. */
uint16_t chain_ring(void);

#endif
