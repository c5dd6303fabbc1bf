/* The sector boards as the microcontroller's pins see them: 74HC165 registers, 74HC595 lights, switches that bounce and stick. */
#ifndef SIM_SECTORS_H
#define SIM_SECTORS_H

#include <sim_avr.h>
#include <stdbool.h>
#include <stdint.h>

#define INPUTS 256
#define INPUTS_PER_BOARD 32

typedef struct {
    avr_cycle_count_t at;
    uint64_t gap;
    int input;
    int left;
    bool end;
} bounce_t;

typedef struct {
    avr_t *avr;
    avr_irq_t *data_pin;
    int boards;
    int broken_after; /* sector boards that still answer; -1 when the chain is whole */
    bool return_cut;  /* the wire that leads the self-test's bit to the far end */
    bool closed[INPUTS];
    bool stuck[INPUTS];
    bool lights[INPUTS];
    uint8_t bits[INPUTS];
    uint8_t lights_bits[INPUTS];
    int head;
    bool load_low, clock_high, return_high, lights_in, data_high, tone_high;
    uint16_t tone_edges;
    bounce_t bounces[INPUTS];
    int bounce_count;
} sectors_t;

/* Wires the sector boards to the pins. */
void sectors_connect(sectors_t *sectors, avr_t *avr, int boards);

/* Sets number of boards: fixed inputs and straps are wired, all else is open. */
void sectors_resize(sectors_t *sectors, int boards);

/* A pawn comes or goes; a stuck input does not care. */
void sectors_set(sectors_t *sectors, int input, bool closed);

/* A switch chatters `count` times, `gap_us` apart, and ends closed or open; false when too many do. */
bool sectors_bounce(sectors_t *sectors, int input, bool end, int count, uint64_t gap_us);

/* Does what is due; returns the cycle of the next bounce, 0 when none waits. */
avr_cycle_count_t sectors_due(sectors_t *sectors);

#endif
