/* Which pin of the Arduino Nano goes where. D2 and D3 stay free: they are the interrupt pins. */
#ifndef TOCK_PINS_H
#define TOCK_PINS_H

#include <avr/io.h>

/* Port D */
#define PIN_LOAD PD4   /* D4: SH/LD of all 74HC165; low loads */
#define PIN_CLOCK PD5  /* D5: CLK of all 74HC165, SRCLK of all 74HC595 */
#define PIN_DATA PD6   /* D6: QH of the nearest 74HC165 */
#define PIN_RETURN PD7 /* D7: SER of the farthest 74HC165 */

/* Port B */
#define PIN_LIGHTS PB0 /* D8: SER of the nearest 74HC595 */
#define PIN_BUZZER PB1 /* D9: OC1A */
#define PIN_LATCH PB2  /* D10: RCLK of all 74HC595 */
#define PIN_ALIVE PB5  /* D13: the light on the Nano */

#endif
