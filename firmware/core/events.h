/* Changes that wait to be sent, numbered when they happen. */
#ifndef TOCK_EVENTS_H
#define TOCK_EVENTS_H

#include "protocol.h"

#define EVENTS_WAITING_MAX 32u /* a power of two */

typedef struct {
    event_t waiting[EVENTS_WAITING_MAX];
    uint8_t first;
    uint8_t count;
    uint16_t last_seq;
    uint8_t overflows;
} events_t;

/* Numbers a change and puts it in line; false when there was no room: then all that waited is dropped, and only a snapshot
 * can tell what happened. */
bool events_add(events_t *events, uint8_t input, bool closed, uint32_t ms);

/* Takes the oldest change out; false when none waits. */
bool events_take(events_t *events, event_t *event);

/* Drops what waits; the numbers go on. */
void events_drop(events_t *events);

#endif
