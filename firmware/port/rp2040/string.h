/* The three functions of the C library that the core needs; without a C library the port brings them itself. */
#ifndef TOCK_STRING_H
#define TOCK_STRING_H

#include <stddef.h>

void *memcpy(void *to, const void *from, size_t count);
void *memmove(void *to, const void *from, size_t count);
void *memset(void *to, int value, size_t count);

#endif
