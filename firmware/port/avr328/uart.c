#include "uart.h"

#include <avr/interrupt.h>
#include <avr/io.h>

#include "protocol.h"

#define SENDING_SIZE 256u /* indices wrap by themselves */
#define COMING_SIZE 128u

static uint8_t sending[SENDING_SIZE];
static volatile uint8_t sending_first;
static volatile uint8_t sending_end;
static uint8_t coming[COMING_SIZE];
static volatile uint8_t coming_first;
static volatile uint8_t coming_end;

ISR(USART_RX_vect) {
    const uint8_t byte = UDR0;
    const uint8_t next = (uint8_t)((coming_end + 1u) % COMING_SIZE);
    /* A full ring drops the byte; the checksum of its frame will say so. */
    if (next != coming_first) {
        coming[coming_end] = byte;
        coming_end = next;
    }
}

ISR(USART_UDRE_vect) {
    if (sending_first == sending_end) {
        UCSR0B &= (uint8_t)~(1u << UDRIE0);
        return;
    }
    UDR0 = sending[sending_first];
    sending_first++;
}

void uart_start(void) {
    UCSR0A = (uint8_t)(1u << U2X0);
    UBRR0 = (uint16_t)((F_CPU / 4ul / BAUD - 1ul) / 2ul);
    UCSR0C = (uint8_t)((1u << UCSZ01) | (1u << UCSZ00));
    UCSR0B = (uint8_t)((1u << RXCIE0) | (1u << RXEN0) | (1u << TXEN0));
}

uint8_t uart_room(void) { return (uint8_t)(SENDING_SIZE - 1u - (uint8_t)(sending_end - sending_first)); }

void uart_put(uint8_t byte) {
    sending[sending_end] = byte;
    sending_end++;
    UCSR0B |= (uint8_t)(1u << UDRIE0);
}

bool uart_get(uint8_t *byte) {
    if (coming_first == coming_end) {
        return false;
    }
    *byte = coming[coming_first];
    coming_first = (uint8_t)((coming_first + 1u) % COMING_SIZE);
    return true;
}
