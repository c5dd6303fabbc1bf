#include "events.h"

bool events_add(events_t *events, uint8_t input, bool closed, uint32_t ms) {
    events->last_seq++;
    if (events->count == EVENTS_WAITING_MAX) {
        events->overflows++;
        events_drop(events);
        return false;
    }
    event_t *event = &events->waiting[(events->first + events->count) % EVENTS_WAITING_MAX];
    event->event_seq = events->last_seq;
    event->ms = ms;
    event->input = input;
    event->closed = closed ? 1u : 0u;
    events->count++;
    return true;
}

bool events_take(events_t *events, event_t *event) {
    if (events->count == 0u) {
        return false;
    }
    *event = events->waiting[events->first];
    events->first = (uint8_t)((events->first + 1u) % EVENTS_WAITING_MAX);
    events->count--;
    return true;
}

void events_drop(events_t *events) { events->count = 0; }
