/* What happens before main has a stack. */
#ifndef TOCK_PAINT_H
#define TOCK_PAINT_H

#include <stdint.h>

#define START_PAINT 0xC5u /* bytes of RAM that nobody has used yet */

/* MCUSR as the start found it. */
extern uint8_t start_flags;

/* From the linker: the first byte after the data, and the highest that the stack uses. */
extern uint8_t _end;
extern uint8_t __stack;

#endif
