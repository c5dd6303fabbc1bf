#include "sectors.h"

#include <avr_ioport.h>
#include <string.h>

/* As in port/avr328/pins.h. */
enum { PIN_LOAD = 4, PIN_CLOCK = 5, PIN_DATA = 6, PIN_RETURN = 7, PIN_LIGHTS = 0, PIN_BUZZER = 1, PIN_LATCH = 2 };
enum { FIXED_LOW = 26, STRAP_1 = 30, STRAP_2 = 31 };

static int length(const sectors_t *sectors) { return sectors->boards * INPUTS_PER_BOARD; }

static uint8_t *bit_at(sectors_t *sectors, int place) { return &sectors->bits[(sectors->head + place) % INPUTS]; }

/* Beyond a break the nearest register sees nothing but its pull-up. */
static void heal_break(sectors_t *sectors) {
    if (sectors->broken_after > 0 && sectors->broken_after < sectors->boards) {
        *bit_at(sectors, sectors->broken_after * INPUTS_PER_BOARD - 1) = 1;
    }
}

static void show_data(sectors_t *sectors) {
    const bool nothing = sectors->boards == 0 || sectors->broken_after == 0;
    const bool high = nothing || *bit_at(sectors, 0) != 0;
    if (high == sectors->data_high) {
        return;
    }
    sectors->data_high = high;
    /* Told as an external pull as well: every write to the port would put the pin back to its pull-up otherwise. */
    avr_ioport_external_t pull = {.name = 'D', .mask = 1u << PIN_DATA, .value = (high ? 1u : 0u) << PIN_DATA};
    avr_ioctl(sectors->avr, AVR_IOCTL_IOPORT_SET_EXTERNAL('D'), &pull);
    avr_raise_irq(sectors->data_pin, high ? 1 : 0);
}

static void on_load(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    sectors_t *sectors = param;
    const bool ends = sectors->load_low && value != 0;
    sectors->load_low = value == 0;
    if (ends) {
        for (int place = 0; place < length(sectors); place++) {
            *bit_at(sectors, place) = !sectors->closed[place];
        }
        show_data(sectors);
    }
}

static void on_clock(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    sectors_t *sectors = param;
    const bool rises = !sectors->clock_high && value != 0;
    sectors->clock_high = value != 0;
    if (!rises || sectors->boards == 0) {
        return;
    }
    /* Lights move outwards: place 0 is the nearest. */
    memmove(sectors->lights_bits + 1, sectors->lights_bits, (size_t)length(sectors) - 1);
    sectors->lights_bits[0] = sectors->lights_in;
    sectors->head = (sectors->head + 1) % INPUTS;
    *bit_at(sectors, length(sectors) - 1) = sectors->return_cut ? 1 : sectors->return_high;
    heal_break(sectors);
    show_data(sectors);
}

static void on_return(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    ((sectors_t *)param)->return_high = value != 0;
}

static void on_lights(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    ((sectors_t *)param)->lights_in = value != 0;
}

static void on_latch(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    sectors_t *sectors = param;
    if (value != 0) {
        for (int place = 0; place < INPUTS; place++) {
            sectors->lights[place] = place < length(sectors) && sectors->lights_bits[place] != 0;
        }
    }
}

static void on_tone(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    sectors_t *sectors = param;
    sectors->tone_edges += (value != 0) != sectors->tone_high;
    sectors->tone_high = value != 0;
}

static avr_irq_t *pin(avr_t *avr, char port, int number) {
    return avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(port), number);
}

void sectors_connect(sectors_t *sectors, avr_t *avr, int boards) {
    memset(sectors, 0, sizeof *sectors);
    sectors->avr = avr;
    sectors->broken_after = -1;
    sectors_resize(sectors, boards);
    sectors->data_pin = pin(avr, 'D', PIN_DATA);
    sectors->data_high = true;
    avr_irq_register_notify(pin(avr, 'D', PIN_LOAD), on_load, sectors);
    avr_irq_register_notify(pin(avr, 'D', PIN_CLOCK), on_clock, sectors);
    avr_irq_register_notify(pin(avr, 'D', PIN_RETURN), on_return, sectors);
    avr_irq_register_notify(pin(avr, 'B', PIN_LIGHTS), on_lights, sectors);
    avr_irq_register_notify(pin(avr, 'B', PIN_LATCH), on_latch, sectors);
    avr_irq_register_notify(pin(avr, 'B', PIN_BUZZER), on_tone, sectors);
}

void sectors_resize(sectors_t *sectors, int boards) {
    sectors->boards = boards;
    for (size_t board = 0; board < INPUTS / INPUTS_PER_BOARD; board++) {
        bool *first = &sectors->closed[board * INPUTS_PER_BOARD];
        first[FIXED_LOW] = true;
        first[FIXED_LOW + 1] = false;
        first[STRAP_1] = (board & 1) != 0;
        first[STRAP_2] = (board & 2) != 0;
    }
}

void sectors_set(sectors_t *sectors, int input, bool closed) {
    if (!sectors->stuck[input]) {
        sectors->closed[input] = closed;
    }
}

bool sectors_bounce(sectors_t *sectors, int input, bool end, int count, uint64_t gap_us) {
    if (sectors->bounce_count == INPUTS) {
        return false;
    }
    const uint64_t gap = gap_us * (sectors->avr->frequency / 1000000u);
    const bounce_t bounce = {sectors->avr->cycle, gap, input, count, end};
    sectors->bounces[sectors->bounce_count++] = bounce;
    return true;
}

avr_cycle_count_t sectors_due(sectors_t *sectors) {
    avr_cycle_count_t next = 0;
    for (int i = 0; i < sectors->bounce_count;) {
        bounce_t *bounce = &sectors->bounces[i];
        while (bounce->left >= 0 && bounce->at <= sectors->avr->cycle) {
            /* The last of them leaves the switch as it shall end. */
            sectors_set(sectors, bounce->input, bounce->left % 2 == 0 ? bounce->end : !bounce->end);
            bounce->left--;
            bounce->at += bounce->gap;
        }
        if (bounce->left < 0) {
            *bounce = sectors->bounces[--sectors->bounce_count];
            continue;
        }
        if (next == 0 || bounce->at < next) {
            next = bounce->at;
        }
        i++;
    }
    return next;
}
