/* The USB cable: the chip's UART on a pseudo-terminal, with bytes lost and flipped on demand. */
#ifndef SIM_LINE_H
#define SIM_LINE_H

#include <sim_avr.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LINE_BYTES 65536

typedef struct {
    uint8_t bytes[LINE_BYTES];
    size_t first, count;
} line_ring_t;

typedef struct {
    avr_t *avr;
    avr_irq_t *to_chip;
    bool chip_full;
    const char *link; /* where the terminal's name is put */
    int master;       /* -1: unplugged */
    int openings;     /* where the system tells who opens the terminal */
    line_ring_t out;
    line_ring_t in;
    avr_cycle_count_t next_in;
    uint64_t sent;    /* bytes handed to the terminal since the start */
    uint64_t chance;
    uint32_t flip_ppm, lose_ppm;
} line_t;

/* Wires the line to the chip's UART and plugs it in; false when there is no terminal to be had. */
bool line_connect(line_t *line, avr_t *avr, const char *link);

/* Makes a terminal and points the link at it. */
bool line_plug(line_t *line);

/* Takes the terminal away from whoever holds it. */
void line_unplug(line_t *line);

/* Sends some bytes to the companion as if the chip had. */
void line_say(line_t *line, const uint8_t *bytes, size_t count);

/* Moves bytes both ways. */
void line_exchange(line_t *line);

/* Whether somebody has opened the terminal since the last call, however long ago that was. */
bool line_opened(line_t *line);

/* The next byte for the chip comes at this cycle; 0 when none waits. */
avr_cycle_count_t line_due(line_t *line);

#endif
