#include "start.h"

#include "chip.h"
#include "protocol.h"

#define WATCHDOG_US 250000u
#define ENABLE BIT(30)
#define TRIGGER BIT(31)
#define NOTE_LEFT 0x70C4A17Eu /* in a scratch register, which only a power cut clears */
#define STACK_PAINT 0xC5C5C5C5u
enum { NOTE, STARTS };

/* From the linker. */
extern uint32_t data_begin[], data_end[], data_source[], bss_begin[], bss_end[], stack_begin[], stack_end[];

int main(void);
void start(void);
void on_timer(void);

static void on_fault(void) {
    for (;;) {
        /* The watchdog ends it. */
    }
}

static void (*const VECTORS[17])(void) __attribute__((section(".vectors"), used)) = {
    (void (*)(void))stack_end, start,    on_fault, on_fault, on_fault, on_fault, on_fault, on_fault, on_fault,
    on_fault,                     on_fault, on_fault, on_fault, on_fault, on_fault, on_fault, on_timer,
};

void start(void) {
    const uint32_t *source = data_source;
    for (uint32_t *at = data_begin; at < data_end; at++) {
        *at = *source++;
    }
    for (uint32_t *at = bss_begin; at < bss_end; at++) {
        *at = 0;
    }
    for (uint32_t *at = stack_begin; at < (uint32_t *)__builtin_frame_address(0); at++) {
        *at = STACK_PAINT;
    }
    (void)main();
    on_fault();
}

static void wait_for(uint32_t address, uint32_t bits) {
    while ((REGISTER(address) & bits) != bits) {
    }
}

void start_clocks(void) {
    REGISTER(XOSC_STARTUP) = 47; /* a millisecond, in 256 periods of 12 MHz */
    REGISTER(XOSC_CTRL) = 0xFABu << 12 | 0xAA0u;
    wait_for(XOSC_STATUS, BIT(31));
    REGISTER(CLK_REF_CTRL) = 2; /* the crystal */
    wait_for(CLK_REF_SELECTED, BIT(2));
    CLEAR(RESETS) = BIT(RESET_PLL_USB);
    wait_for(RESETS_DONE, BIT(RESET_PLL_USB));
    /* 12 MHz times 100, by 5, by 5. */
    REGISTER(PLL_USB_CS) = 1;
    REGISTER(PLL_USB_FBDIV) = 100;
    CLEAR(PLL_USB_PWR) = BIT(0) | BIT(5);
    wait_for(PLL_USB_CS, BIT(31));
    REGISTER(PLL_USB_PRIM) = 5u << 16 | 5u << 12;
    CLEAR(PLL_USB_PWR) = BIT(3);
    REGISTER(CLK_SYS_CTRL) = 1u << 5; /* first choose the PLL as the other source, then that one */
    REGISTER(CLK_SYS_CTRL) = 1u << 5 | 1u;
    wait_for(CLK_SYS_SELECTED, BIT(1));
    REGISTER(CLK_PERI_CTRL) = BIT(11);
    REGISTER(PSM_WATCHDOG) = PSM_ALL_BUT_OSCILLATORS;
    REGISTER(WATCHDOG_TICK) = BIT(9) | 12u; /* a microsecond for timer and watchdog */
    const uint32_t used = BIT(RESET_IO) | BIT(RESET_PADS) | BIT(RESET_PWM) | BIT(RESET_TIMER) | BIT(RESET_UART0);
    CLEAR(RESETS) = used;
    wait_for(RESETS_DONE, used);
}

uint8_t start_cause(void) {
    const uint32_t note = WATCHDOG_SCRATCH(NOTE);
    WATCHDOG_SCRATCH(NOTE) = 0;
    if (REGISTER(WATCHDOG_REASON) != 0u) {
        return note == NOTE_LEFT ? RESET_CAUSE_COMMAND : RESET_CAUSE_HANG;
    }
    if ((REGISTER(CHIP_RESET) & BIT(16)) != 0u) {
        return RESET_CAUSE_EXTERNAL;
    }
    return (REGISTER(CHIP_RESET) & BIT(8)) != 0u ? RESET_CAUSE_POWER_ON : RESET_CAUSE_UNKNOWN;
}

uint32_t start_nonce(void) {
    uint32_t drawn = 0;
    for (uint8_t bit = 0; bit < 32u; bit++) {
        drawn = drawn << 1 | (REGISTER(ROSC_RANDOM) & 1u);
    }
    /* Even if the ring oscillator gave the same bits again, two starts in a row differ. */
    WATCHDOG_SCRATCH(STARTS) = WATCHDOG_SCRATCH(STARTS) + 1u;
    return drawn + WATCHDOG_SCRATCH(STARTS);
}

void start_alive(void) {
    /* The counter goes down twice each microsecond (erratum RP2040-E1). */
    REGISTER(WATCHDOG_LOAD) = 2u * WATCHDOG_US;
    SET(WATCHDOG_CTRL) = ENABLE;
}

void restart(void) {
    WATCHDOG_SCRATCH(NOTE) = NOTE_LEFT;
    SET(WATCHDOG_CTRL) = TRIGGER;
    for (;;) {
    }
}

uint16_t start_stack_free(void) {
    const uint32_t *at = stack_begin;
    while (at < stack_end && *at == STACK_PAINT) {
        at++;
    }
    return (uint16_t)((uintptr_t)at - (uintptr_t)stack_begin);
}
