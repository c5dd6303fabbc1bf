/* Arduino Nano or Uno (ATmega328P, 16 MHz): pins, clock, watchdog, and the loop that runs the core. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#include "board.h"
#include "build.h"
#include "pins.h"
#include "port.h"
#include "start.h"
#include "uart.h"

#define BIT(n) ((uint8_t)(1u << (n)))
#define TICKS_PER_MS (F_CPU / 64ul / 1000ul)
#define TONE_CLOCK (F_CPU / 8ul)

static board_t board;
static volatile uint32_t clock_ms;

ISR(TIMER0_COMPA_vect) { clock_ms++; }

static uint32_t now_ms(void) {
    cli();
    const uint32_t ms = clock_ms;
    sei();
    return ms;
}

static void start_pins(void) {
    PORTD = (uint8_t)(BIT(PIN_LOAD) | BIT(PIN_DATA)); /* pull-up: a cut data line reads high, which is open */
    DDRD = (uint8_t)(BIT(PIN_LOAD) | BIT(PIN_CLOCK) | BIT(PIN_RETURN));
    DDRB = (uint8_t)(BIT(PIN_LIGHTS) | BIT(PIN_LATCH) | BIT(PIN_BUZZER) | BIT(PIN_ALIVE));
}

static void start_clock(void) {
    TCCR0A = BIT(WGM01);
    TCCR0B = (uint8_t)(BIT(CS01) | BIT(CS00));
    OCR0A = (uint8_t)(TICKS_PER_MS - 1u);
    TIMSK0 = BIT(OCIE0A);
}

static void pulse_clock(void) {
    PORTD |= BIT(PIN_CLOCK);
    PORTD &= (uint8_t)~BIT(PIN_CLOCK);
}

void port_scan(uint8_t *inputs, const uint8_t *leds, uint8_t count) {
    PORTD &= (uint8_t)~BIT(PIN_LOAD);
    PORTD |= BIT(PIN_LOAD);
    PORTB &= (uint8_t)~BIT(PIN_LIGHTS);
    uint8_t lights_level = 0;
    const uint8_t *lit = leds + count;
    for (uint8_t *at = inputs; at < inputs + count; at++) {
        lit--;
        uint8_t out = *lit;
        uint8_t in = 0;
        for (uint8_t bit = 0; bit < 8u; bit++) {
            if ((out & 0x80u) != lights_level) {
                lights_level ^= 0x80u;
                PINB = BIT(PIN_LIGHTS); /* writing a one toggles */
            }
            out = (uint8_t)(out << 1);
            in >>= 1;
            if ((PIND & BIT(PIN_DATA)) == 0u) {
                in |= 0x80u;
            }
            pulse_clock();
        }
        *at = in;
    }
    PORTB |= BIT(PIN_LATCH);
    PORTB &= (uint8_t)~BIT(PIN_LATCH);
}

bool port_shift(bool in) {
    const bool out = (PIND & BIT(PIN_DATA)) != 0u;
    if (in) {
        PORTD |= BIT(PIN_RETURN);
    } else {
        PORTD &= (uint8_t)~BIT(PIN_RETURN);
    }
    pulse_clock();
    return out;
}

uint8_t port_room(void) { return uart_room(); }

void port_send(const uint8_t *bytes, uint8_t count) {
    for (uint8_t i = 0; i < count; i++) {
        uart_put(bytes[i]);
    }
}

void port_tone(uint16_t frequency_hz) {
    if (frequency_hz == 0u) {
        TCCR1A = 0;
        TCCR1B = 0;
        PORTB &= (uint8_t)~BIT(PIN_BUZZER);
        return;
    }
    OCR1A = (uint16_t)(TONE_CLOCK / (2ul * frequency_hz) - 1ul);
    TCNT1 = 0;
    TCCR1A = BIT(COM1A0);
    TCCR1B = (uint8_t)(BIT(WGM12) | BIT(CS11));
}

void port_reset(void) { restart(); }

uint16_t port_stack_free(void) { return start_stack_free(); }

int main(void) {
    const identity_t identity = {
        .build = FIRMWARE_BUILD,
        .nonce = start_count(),
        .features = FEATURE_LEDS | FEATURE_BUZZER | FEATURE_RING,
        .board_kind = BOARD_KIND_ATMEGA328P,
        .reset_cause = start_cause(),
    };
    start_pins();
    start_clock();
    uart_start();
    set_sleep_mode(SLEEP_MODE_IDLE);
    sei();
    board_start(&board, &identity, now_ms());
    for (;;) {
        uint8_t byte;
        while (uart_get(&byte)) {
            board_receive(&board, byte);
        }
        board_run(&board, now_ms());
        if ((board.now_ms & 0x1FFu) < 20u) {
            PORTB |= BIT(PIN_ALIVE);
        } else {
            PORTB &= (uint8_t)~BIT(PIN_ALIVE);
        }
        start_alive();
        sleep_mode();
    }
}
