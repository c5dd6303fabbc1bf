/* Which pin of the Raspberry Pi Pico goes where; GP0 and GP1 are the serial line. */
#ifndef TOCK_PINS_H
#define TOCK_PINS_H

enum {
    PIN_TX = 0,     /* to the companion's RX */
    PIN_RX = 1,     /* from the companion's TX */
    PIN_LOAD = 2,   /* SH/LD of all 74HC165; low loads */
    PIN_CLOCK = 3,  /* CLK of all 74HC165, SRCLK of all 74HC595 */
    PIN_DATA = 4,   /* QH of the nearest 74HC165 */
    PIN_RETURN = 5, /* SER of the farthest 74HC165 */
    PIN_LIGHTS = 6, /* SER of the nearest 74HC595 */
    PIN_LATCH = 7,  /* RCLK of all 74HC595 */
    PIN_BUZZER = 8,
    PIN_ALIVE = 25, /* the light on the Pico */
};

#endif
