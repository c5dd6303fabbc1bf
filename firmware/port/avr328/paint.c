#include "paint.h"

#include <avr/io.h>
#include <avr/wdt.h>

uint8_t start_flags __attribute__((section(".noinit")));

void start_paint(void) __attribute__((naked, used, section(".init3")));

/* Stops the watchdog, which a watchdog reset leaves running at its shortest, and paints the RAM that the stack may use. */
void start_paint(void) {
    start_flags = MCUSR;
    MCUSR = 0;
    wdt_disable();
    for (uint8_t *at = &_end; at < (uint8_t *)SP; at++) {
        *at = START_PAINT;
    }
}
