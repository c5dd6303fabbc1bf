/* Starts and what ends them: why, how often, the watchdog, and how deep the stack went. */
#ifndef TOCK_START_H
#define TOCK_START_H

#include <stdint.h>

/* Why this start happened (RESET_CAUSE_...). */
uint8_t start_cause(void);

/* Counts this start in the EEPROM and returns the number: never the same twice in a row. */
uint32_t start_count(void);

/* Tells the watchdog that the main loop runs. */
void start_alive(void);

/* Restarts the chip through the watchdog. */
void restart(void);

/* Bytes between data and stack that were never touched. */
uint16_t start_stack_free(void);

#endif
