/* The serial line: two rings of bytes filled and emptied by interrupts. */
#ifndef TOCK_UART_H
#define TOCK_UART_H

#include <stdbool.h>
#include <stdint.h>

void uart_start(void);

/* Bytes that fit into the sending ring. */
uint8_t uart_room(void);

/* Sends a byte; there is room for it. */
void uart_put(uint8_t byte);

/* Takes the oldest byte that came; false when there is none. */
bool uart_get(uint8_t *byte);

#endif
