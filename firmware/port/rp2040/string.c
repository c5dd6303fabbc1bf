#include "string.h"

void *memcpy(void *to, const void *from, size_t count) {
    unsigned char *target = to;
    for (const unsigned char *source = from; count > 0; count--) {
        *target++ = *source++;
    }
    return to;
}

void *memmove(void *to, const void *from, size_t count) {
    unsigned char *target = to;
    const unsigned char *source = from;
    if (target <= source) {
        return memcpy(to, from, count);
    }
    while (count > 0) {
        count--;
        target[count] = source[count];
    }
    return to;
}

void *memset(void *to, int value, size_t count) {
    for (unsigned char *target = to; count > 0; count--) {
        *target++ = (unsigned char)value;
    }
    return to;
}
