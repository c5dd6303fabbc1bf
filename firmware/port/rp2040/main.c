/* Raspberry Pi Pico (RP2040, 48 MHz): pins, serial line, buzzer, and the loop that runs the core. Never run on silicon. */
#include "board.h"
#include "build.h"
#include "chip.h"
#include "pins.h"
#include "port.h"
#include "start.h"

#define CLOCK_HZ 48000000u
#define SENDING_SIZE 256u /* indices wrap by themselves */
#define LOOK_US 250u      /* the line's own buffer of 32 bytes lasts ten times as long */
#define BUZZER_SLICE (PIN_BUZZER / 2u % 8u)
#define RX_EMPTY BIT(4)
#define TX_FULL BIT(5)

static board_t board;
static uint8_t sending[SENDING_SIZE];
static uint8_t sending_first;
static uint8_t sending_end;

void on_timer(void);

void on_timer(void) {
    REGISTER(TIMER_INTR) = BIT(0);
    REGISTER(TIMER_ALARM0) = REGISTER(TIMER_LOW) + LOOK_US;
}

static uint32_t now_ms(void) {
    uint32_t high, low;
    do {
        high = REGISTER(TIMER_HIGH);
        low = REGISTER(TIMER_LOW);
    } while (REGISTER(TIMER_HIGH) != high);
    return (uint32_t)((((uint64_t)high << 32) | low) / 1000u);
}

static void start_pins(void) {
    const uint32_t outputs = BIT(PIN_LOAD) | BIT(PIN_CLOCK) | BIT(PIN_RETURN) | BIT(PIN_LIGHTS) | BIT(PIN_LATCH) | BIT(PIN_ALIVE);
    PIN_FUNCTION(PIN_TX) = FUNCTION_UART;
    PIN_FUNCTION(PIN_RX) = FUNCTION_UART;
    PIN_FUNCTION(PIN_BUZZER) = FUNCTION_PWM;
    for (uint32_t pin = 0; pin <= PIN_ALIVE; pin++) {
        if (((outputs | BIT(PIN_DATA)) >> pin & 1u) != 0u) {
            PIN_FUNCTION(pin) = FUNCTION_SIO;
        }
    }
    /* Pull-ups: a cut data line reads open, a loose RX is quiet. Input on, Schmitt trigger, 4 mA. */
    PAD(PIN_DATA) = 0x5A;
    PAD(PIN_RX) = 0x5A;
    REGISTER(SIO_OUT_SET) = BIT(PIN_LOAD);
    REGISTER(SIO_ENABLE_SET) = outputs;
}

static void start_line(void) {
    const uint32_t sixty_fourths = (4u * CLOCK_HZ + BAUD / 2u) / BAUD;
    REGISTER(UART_WHOLE) = sixty_fourths / 64u;
    REGISTER(UART_FRACTION) = sixty_fourths % 64u;
    REGISTER(UART_LINE) = BIT(4) | 3u << 5; /* its buffers, eight bits */
    REGISTER(UART_CTRL) = BIT(0) | BIT(8) | BIT(9);
}

static void start_looking(void) {
    REGISTER(TIMER_INTE) = BIT(0);
    REGISTER(NVIC_ENABLE) = BIT(TIMER_IRQ0);
    on_timer();
}

/* Cables and 74HC chips at the end of them want a clock of at most 500 kHz. */
static void settle(void) {
    for (uint32_t count = 0; count < 10u; count++) {
        __asm volatile("nop");
    }
}

static void pulse_clock(void) {
    settle();
    REGISTER(SIO_OUT_SET) = BIT(PIN_CLOCK);
    settle();
    REGISTER(SIO_OUT_CLEAR) = BIT(PIN_CLOCK);
}

static bool data_high(void) { return (REGISTER(SIO_IN) >> PIN_DATA & 1u) != 0u; }

static void set_pin(uint32_t pin, bool high) { REGISTER(high ? SIO_OUT_SET : SIO_OUT_CLEAR) = BIT(pin); }

void port_scan(uint8_t *inputs, const uint8_t *leds, uint8_t count) {
    set_pin(PIN_LOAD, false);
    settle();
    set_pin(PIN_LOAD, true);
    for (uint8_t index = 0; index < count; index++) {
        uint8_t out = leds[count - 1u - index];
        uint8_t in = 0;
        for (uint8_t bit = 0; bit < 8u; bit++, out = (uint8_t)(out << 1)) {
            set_pin(PIN_LIGHTS, (out & 0x80u) != 0u);
            in = (uint8_t)(in >> 1 | (data_high() ? 0u : 0x80u));
            pulse_clock();
        }
        inputs[index] = in;
    }
    set_pin(PIN_LATCH, true);
    settle();
    set_pin(PIN_LATCH, false);
}

bool port_shift(bool in) {
    const bool out = data_high();
    set_pin(PIN_RETURN, in);
    pulse_clock();
    return out;
}

uint8_t port_room(void) { return (uint8_t)(SENDING_SIZE - 1u - (uint8_t)(sending_end - sending_first)); }

void port_send(const uint8_t *bytes, uint8_t count) {
    for (uint8_t i = 0; i < count; i++) {
        sending[sending_end++] = bytes[i];
    }
}

static void attend_line(void) {
    while ((REGISTER(UART_FLAGS) & RX_EMPTY) == 0u) {
        board_receive(&board, (uint8_t)REGISTER(UART_DATA));
    }
    while (sending_first != sending_end && (REGISTER(UART_FLAGS) & TX_FULL) == 0u) {
        REGISTER(UART_DATA) = sending[sending_first++];
    }
}

void port_tone(uint16_t frequency_hz) {
    const uint32_t slice = PWM_SLICE(BUZZER_SLICE);
    REGISTER(slice) = 0;
    if (frequency_hz != 0u) {
        const uint32_t period_us = 1000000u / frequency_hz;
        REGISTER(slice + 0x04u) = CLOCK_HZ / 1000000u << 4;
        REGISTER(slice + 0x10u) = period_us - 1u;
        REGISTER(slice + 0x0Cu) = period_us / 2u;
        REGISTER(slice) = BIT(0);
    }
}

void port_reset(void) { restart(); }

uint16_t port_stack_free(void) { return start_stack_free(); }

int main(void) {
    start_clocks();
    const identity_t identity = {
        .build = FIRMWARE_BUILD,
        .nonce = start_nonce(),
        .features = FEATURE_LEDS | FEATURE_BUZZER | FEATURE_RING,
        .board_kind = BOARD_KIND_RP2040,
        .reset_cause = start_cause(),
    };
    start_pins();
    start_line();
    start_looking();
    board_start(&board, &identity, now_ms());
    for (;;) {
        attend_line();
        board_run(&board, now_ms());
        attend_line();
        set_pin(PIN_ALIVE, (board.now_ms & 0x1FFu) < 20u);
        start_alive();
        __asm volatile("wfi");
    }
}
