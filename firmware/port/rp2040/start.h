/* Starts of the Pico: clocks, why and how often it started, the watchdog, and how deep the stack went. */
#ifndef TOCK_START_H
#define TOCK_START_H

#include <stdint.h>

/* Runs the chip at 48 MHz from its crystal and its timer in microseconds. */
void start_clocks(void);

/* Why this start happened (RESET_CAUSE_...). */
uint8_t start_cause(void);

/* A number that differs from start to start: the flash is left alone, so it is drawn. */
uint32_t start_nonce(void);

/* Tells the watchdog that the main loop runs; the first call starts it. */
void start_alive(void);

/* Restarts the chip through the watchdog. */
void restart(void);

/* Bytes of the stack that were never touched. */
uint16_t start_stack_free(void);

#endif
