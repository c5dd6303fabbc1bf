/* Runs the reed board's firmware on an emulated ATmega328P (libsimavr): real time, or only when told to (lockstep).
 *
 * A tool for tests and for trying the companion without hardware. It links libsimavr, which is under the GPL version 3; it is
 * built from source where it is used and is no part of what is shipped. */
#include <getopt.h>
#include <sim_avr.h>
#include <sim_hex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "control.h"

#define FREQUENCY 16000000u
#define CYCLES_PER_US (FREQUENCY / 1000000u)
#define SLICE_US 500
#define RUN_MAX_US 5000
#define LAG_MAX_US 50000
#define BOOTLOADER_PC 0x7E00u
#define MCUSR_ADDRESS 0x54
enum { POWER_ON = 1, EXTERNAL = 2, BROWN_OUT = 4 };

static avr_t *avr;
static sectors_t sectors;
static line_t line;
static control_t control;
static bool stopped;

static void no_sleep(avr_t *chip, avr_cycle_count_t howlong) {
    (void)chip;
    (void)howlong;
}

static void quiet(avr_t *chip, const int level, const char *format, va_list values) {
    (void)chip;
    if (level == LOG_ERROR) {
        vfprintf(stderr, format, values);
    }
}

static bool load_hex(const char *path) {
    ihex_chunk_p chunks = NULL;
    const int count = read_ihex_chunks(path, &chunks);
    for (int i = 0; i < count; i++) {
        if (chunks[i].baseaddr + chunks[i].size > avr->flashend + 1u) {
            return false;
        }
        memcpy(avr->flash + chunks[i].baseaddr, chunks[i].data, chunks[i].size);
    }
    avr->codeend = avr->flashend;
    return count > 0;
}

static void reset(const char *cause) {
    uint8_t flags = EXTERNAL;
    if (strcmp(cause, "power") == 0) {
        flags = POWER_ON;
        /* What RAM holds after a power cut is not what it held before. */
        memset(avr->data + 0x100, 0x5A, 0x800);
    } else if (strcmp(cause, "brown_out") == 0) {
        flags = BROWN_OUT;
    }
    avr_reset(avr);
    avr->state = cpu_Running;
    stopped = false;
    avr->data[MCUSR_ADDRESS] = flags;
}

static avr_cycle_count_t wake(avr_t *chip, avr_cycle_count_t when, void *param) {
    (void)chip;
    (void)when;
    (void)param;
    return 0;
}

/* Runs up to a cycle, stopping wherever a switch bounces or a byte arrives. */
static void run_to(avr_cycle_count_t target) {
    while (avr->cycle < target) {
        avr_cycle_count_t stop = target;
        const avr_cycle_count_t bounce = sectors_due(&sectors);
        const avr_cycle_count_t byte = line_due(&line);
        if (bounce != 0 && bounce < stop) {
            stop = bounce;
        }
        if (byte > avr->cycle && byte < stop) {
            stop = byte;
        }
        /* A sleeping chip jumps to its next timer; this one keeps it from jumping too far. */
        avr_cycle_timer_register(avr, stop - avr->cycle, wake, NULL);
        while (avr->cycle < stop && !stopped) {
            const int state = avr_run(avr);
            stopped = state == cpu_Done || state == cpu_Crashed;
        }
        if (stopped) {
            /* A chip that has lost its way, like a blank one behind its bootloader, waits for a reset. */
            avr->cycle = stop;
        }
        line_exchange(&line);
    }
}

static void run_us(uint64_t us) { run_to(avr->cycle + us * CYCLES_PER_US); }

static uint64_t monotonic_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}

static void serve(bool reset_on_open) {
    uint64_t began_us = monotonic_us();
    const avr_cycle_count_t began = avr->cycle;
    while (!control.quit) {
        control_attend(&control, control.lockstep ? 50000 : SLICE_US);
        line_exchange(&line);
        if (line_opened(&line) && reset_on_open) {
            reset("external");
        }
        if (control.lockstep) {
            continue;
        }
        /* On a machine too busy to keep up, the board's time lags rather than that nobody is heard meanwhile. */
        const uint64_t behind_us = monotonic_us() - began_us - (avr->cycle - began) / CYCLES_PER_US;
        run_us(behind_us < RUN_MAX_US ? behind_us : RUN_MAX_US);
        if (behind_us > LAG_MAX_US) {
            began_us += behind_us - RUN_MAX_US;
        }
    }
    line_unplug(&line);
}

typedef struct {
    const char *hex, *bootloader, *link, *socket;
    int boards;
    bool lockstep, reset_on_open;
} options_t;

static bool parse(int count, char **words, options_t *options) {
    static const struct option LONG[] = {
        {"hex", required_argument, NULL, 'x'},        {"bootloader", required_argument, NULL, 'b'},
        {"link", required_argument, NULL, 'l'},       {"socket", required_argument, NULL, 's'},
        {"boards", required_argument, NULL, 'n'},     {"lockstep", no_argument, NULL, 'k'},
        {"reset-on-open", no_argument, NULL, 'r'},    {NULL, 0, NULL, 0},
    };
    int letter;
    while ((letter = getopt_long(count, words, "", LONG, NULL)) != -1) {
        switch (letter) {
        case 'x': options->hex = optarg; break;
        case 'b': options->bootloader = optarg; break;
        case 'l': options->link = optarg; break;
        case 's': options->socket = optarg; break;
        case 'n': options->boards = (int)strtol(optarg, NULL, 10); break;
        case 'k': options->lockstep = true; break;
        case 'r': options->reset_on_open = true; break;
        default: return false;
        }
    }
    return (options->hex != NULL || options->bootloader != NULL) && options->link != NULL && options->socket != NULL &&
           options->boards >= 0 && options->boards <= INPUTS / INPUTS_PER_BOARD;
}

int main(int count, char **words) {
    options_t options = {.boards = 4};
    if (!parse(count, words, &options)) {
        fprintf(stderr, "usage: %s [--hex FILE] [--bootloader FILE] --link PATH --socket PATH [--boards N] [--lockstep] "
                        "[--reset-on-open]\n", words[0]);
        return 2;
    }
    avr_global_logger_set(quiet);
    avr = avr_make_mcu_by_name("atmega328p");
    if (avr == NULL) {
        return 1;
    }
    avr_init(avr);
    avr->frequency = FREQUENCY;
    avr->sleep = no_sleep;
    memset(avr->flash, 0xFF, avr->flashend + 1u);
    if ((options.hex != NULL && !load_hex(options.hex)) || (options.bootloader != NULL && !load_hex(options.bootloader))) {
        fprintf(stderr, "tock-reed-sim: the firmware cannot be read\n");
        return 1;
    }
    if (options.bootloader != NULL) {
        avr->reset_pc = BOOTLOADER_PC;
    }
    sectors_connect(&sectors, avr, options.boards);
    control = (control_t){.avr = avr, .sectors = &sectors, .line = &line, .lockstep = options.lockstep, .run_us = run_us,
                          .reset = reset};
    if (!line_connect(&line, avr, options.link) || !control_listen(&control, options.socket)) {
        perror("tock-reed-sim");
        return 1;
    }
    reset("power");
    puts("ready");
    fflush(stdout);
    serve(options.reset_on_open);
    unlink(options.socket);
    return 0;
}
