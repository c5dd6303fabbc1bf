/* What the core asks of a chip. Everything else in core/ is plain C without registers. */
#ifndef TOCK_PORT_H
#define TOCK_PORT_H

#include <stdbool.h>
#include <stdint.h>

/* Loads all registers and shifts `count` bytes out of the chain, closed switches as ones; at the same clocks the lights are
 * shifted in from `leds` (last byte first) and shown. */
void port_scan(uint8_t *inputs, const uint8_t *leds, uint8_t count);

/* Without loading: reads the chain's end (true: high) and shifts `in` into its far end. */
bool port_shift(bool in);

/* Bytes that can be sent without waiting. */
uint8_t port_room(void);

/* Sends bytes; there is room for them. */
void port_send(const uint8_t *bytes, uint8_t count);

/* Sounds the buzzer, 0 for silence. */
void port_tone(uint16_t frequency_hz);

/* Restarts the chip; does not return. */
void port_reset(void);

/* Bytes of the stack that were never touched. */
uint16_t port_stack_free(void);

#endif
