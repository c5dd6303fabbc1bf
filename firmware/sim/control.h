/* The hand that the test has in the table: commands, one a line, over a local socket. */
#ifndef SIM_CONTROL_H
#define SIM_CONTROL_H

#include "line.h"
#include "sectors.h"

#define CALLERS 4
#define CALL_BYTES 1024

typedef struct {
    int fd;
    size_t count;
    char bytes[CALL_BYTES];
} caller_t;

typedef struct {
    avr_t *avr;
    sectors_t *sectors;
    line_t *line;
    bool lockstep;
    bool quit;
    void (*run_us)(uint64_t us);
    void (*reset)(const char *cause);
    int listener;
    caller_t callers[CALLERS];
} control_t;

/* Listens at a path; false when that cannot be. */
bool control_listen(control_t *control, const char *path);

/* Waits at most so long for commands and obeys them. */
void control_attend(control_t *control, int timeout_us);

#endif
