/* Frames on the wire: 00 | COBS(type, seq, payload, CRC) | 00. */
#ifndef TOCK_FRAME_H
#define TOCK_FRAME_H

#include "protocol.h"

#define FRAME_OVERHEAD 4u                         /* type, seq, CRC */
#define FRAME_BODY (PAYLOAD_MAX + FRAME_OVERHEAD) /* before COBS */
#define FRAME_CODED (FRAME_BODY + 1u)             /* after COBS: under 254 bytes it adds one */
#define FRAME_WIRE (FRAME_CODED + 2u)             /* with both zeros */

/* Writes a whole frame to `wire` (FRAME_WIRE bytes); returns its size. `size` is at most PAYLOAD_MAX. */
uint8_t frame_write(uint8_t *wire, uint8_t type, uint8_t seq, const uint8_t *payload, uint8_t size);

typedef struct {
    uint8_t bytes[FRAME_CODED];
    uint8_t count;
    bool flooded;  /* more bytes than any frame has: skip to the next zero */
    uint16_t bad;  /* frames thrown away, wraps */
    /* The last good frame: */
    uint8_t type;
    uint8_t seq;
    uint8_t size;
    const uint8_t *payload;  /* into `bytes`, good until the next byte comes */
} frame_reader_t;

/* Takes one byte in; true when it completes a good frame. */
bool frame_read(frame_reader_t *reader, uint8_t byte);

#endif
