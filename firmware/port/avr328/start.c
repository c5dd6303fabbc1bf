#include "start.h"

#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>

#include "paint.h"
#include "protocol.h"

#define NOTE_LEFT 0x70C4u
#define WATCHDOG WDTO_250MS

/* RAM that a start leaves as it was: what the run before wanted to say. A bootloader wipes MCUSR, but not this. */
typedef struct {
    uint16_t mark;
    uint8_t cause;
} note_t;

static note_t note __attribute__((section(".noinit")));
static uint32_t EEMEM starts;

ISR(WDT_vect) {
    note.mark = NOTE_LEFT;
    note.cause = RESET_CAUSE_HANG;
    for (;;) {
        /* The second timeout resets. */
    }
}

static void arm(uint8_t timeout) {
    wdt_enable(timeout);
    WDTCSR |= (uint8_t)(1u << WDIE);
}

uint8_t start_cause(void) {
    const uint8_t known = note.mark == NOTE_LEFT ? note.cause : RESET_CAUSE_UNKNOWN;
    note.mark = 0;
    if ((start_flags & (1u << PORF)) != 0u) {
        return RESET_CAUSE_POWER_ON;
    }
    if ((start_flags & (1u << BORF)) != 0u) {
        return RESET_CAUSE_BROWN_OUT;
    }
    if (known != RESET_CAUSE_UNKNOWN) {
        return known;
    }
    if ((start_flags & (1u << EXTRF)) != 0u) {
        return RESET_CAUSE_EXTERNAL;
    }
    return (start_flags & (1u << WDRF)) != 0u ? RESET_CAUSE_HANG : RESET_CAUSE_UNKNOWN;
}

uint32_t start_count(void) {
    const uint32_t count = eeprom_read_dword(&starts) + 1u;
    eeprom_update_dword(&starts, count);
    arm(WATCHDOG);
    return count;
}

void start_alive(void) { wdt_reset(); }

void restart(void) {
    cli();
    note.mark = NOTE_LEFT;
    note.cause = RESET_CAUSE_COMMAND;
    wdt_enable(WDTO_15MS);
    for (;;) {
    }
}

uint16_t start_stack_free(void) {
    const uint8_t *at = &_end;
    while (at < &__stack && *at == START_PAINT) {
        at++;
    }
    return (uint16_t)(at - &_end);
}
