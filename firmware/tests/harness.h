/* Functions for ctypes: the frames, the debouncer, and a whole board on the host port. */
#ifndef TOCK_HARNESS_H
#define TOCK_HARNESS_H

#include "crc.h"
#include "host.h"

uint16_t harness_crc(const uint8_t *bytes, uint8_t count);
uint8_t harness_write(uint8_t *wire, uint8_t type, uint8_t seq, const uint8_t *payload, uint8_t size);

/* Writes size, type, seq and payload of every good frame to `found`; returns the bytes written. */
uint16_t harness_read(const uint8_t *bytes, uint32_t count, uint8_t *found, uint16_t *bad);

/* Debounces eight inputs; `stable` gets their state after every scan. */
void harness_debounce(uint8_t samples, uint8_t start, const uint8_t *raw, uint32_t count, uint8_t *stable);

void harness_start(uint8_t boards, uint32_t nonce, uint32_t now_ms);
void harness_events_from(uint16_t last_seq);
void harness_switch(uint8_t input, bool closed);
void harness_hear(const uint8_t *bytes, uint32_t count);

/* Runs the board at a time; returns what it sends (at most HOST_SENT_MAX bytes). */
uint16_t harness_run(uint32_t now_ms, uint8_t *sent);

#endif
