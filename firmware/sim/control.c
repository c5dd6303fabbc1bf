#include "control.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define HANG_AT 0x7800u /* flash that the firmware leaves blank */

typedef struct {
    control_t *control;
    char *rest; /* the words after the command */
    char answer[256];
} call_t;

static bool number(call_t *call, long least, long most, long *value) {
    char *end;
    *value = strtol(call->rest, &end, 10);
    const bool good = end != call->rest && *value >= least && *value <= most;
    call->rest = end;
    return good;
}

static bool set(call_t *call, bool closed) {
    long input;
    if (!number(call, 0, INPUTS - 1, &input)) {
        return false;
    }
    sectors_set(call->control->sectors, (int)input, closed);
    return true;
}

static bool do_close(call_t *call) { return set(call, true); }

static bool do_open(call_t *call) { return set(call, false); }

static bool do_bounce(call_t *call) {
    long input, end, count, gap_us;
    return number(call, 0, INPUTS - 1, &input) && number(call, 0, 1, &end) && number(call, 0, 100000, &count) &&
           number(call, 1, 1000000, &gap_us) &&
           sectors_bounce(call->control->sectors, (int)input, end != 0, (int)count, (uint64_t)gap_us);
}

static bool do_stick(call_t *call) {
    long input, closed;
    if (!number(call, 0, INPUTS - 1, &input) || !number(call, 0, 1, &closed)) {
        return false;
    }
    call->control->sectors->closed[input] = closed != 0;
    call->control->sectors->stuck[input] = true;
    return true;
}

static bool do_free(call_t *call) {
    long input;
    if (!number(call, 0, INPUTS - 1, &input)) {
        return false;
    }
    call->control->sectors->stuck[input] = false;
    return true;
}

static bool do_break(call_t *call) {
    long board;
    if (!number(call, 0, INPUTS / INPUTS_PER_BOARD, &board)) {
        return false;
    }
    call->control->sectors->broken_after = (int)board;
    return true;
}

static bool do_cut_return(call_t *call) {
    call->control->sectors->return_cut = true;
    return true;
}

static bool do_mend(call_t *call) {
    call->control->sectors->broken_after = -1;
    call->control->sectors->return_cut = false;
    return true;
}

static bool do_boards(call_t *call) {
    long boards;
    if (!number(call, 0, INPUTS / INPUTS_PER_BOARD, &boards)) {
        return false;
    }
    sectors_resize(call->control->sectors, (int)boards);
    return true;
}

static bool do_damage(call_t *call) {
    long flip, lose, seed;
    if (!number(call, 0, 1000000, &flip) || !number(call, 0, 1000000, &lose) || !number(call, 1, 1000000000, &seed)) {
        return false;
    }
    line_t *line = call->control->line;
    line->flip_ppm = (uint32_t)flip;
    line->lose_ppm = (uint32_t)lose;
    line->chance = (uint64_t)seed * 88172645463325252ull;
    return true;
}

static bool do_say(call_t *call) {
    char *end;
    for (unsigned long byte; byte = strtoul(call->rest, &end, 16), end != call->rest; call->rest = end) {
        const uint8_t one = (uint8_t)byte;
        line_say(call->control->line, &one, 1);
    }
    return true;
}

static bool do_reset(call_t *call) {
    char *cause = call->rest + strspn(call->rest, " ");
    call->control->reset(cause);
    return true;
}

/* The main loop stands still from now on; interrupts go on. */
static bool do_hang(call_t *call) {
    avr_t *avr = call->control->avr;
    avr->flash[HANG_AT] = 0xFF; /* rjmp .-2 */
    avr->flash[HANG_AT + 1] = 0xCF;
    avr->pc = HANG_AT;
    avr->sreg[S_I] = 1;
    avr->state = cpu_Running;
    return true;
}

static bool do_unplug(call_t *call) {
    line_unplug(call->control->line);
    return true;
}

static bool do_plug(call_t *call) { return call->control->line->master >= 0 || line_plug(call->control->line); }

static bool do_lights(call_t *call) {
    for (size_t byte = 0; byte < INPUTS / 8; byte++) {
        unsigned value = 0;
        for (int bit = 0; bit < 8; bit++) {
            value |= (unsigned)call->control->sectors->lights[8 * byte + bit] << bit;
        }
        snprintf(call->answer + 2 * byte, 3, "%02x", value);
    }
    return true;
}

static bool do_tone(call_t *call) {
    snprintf(call->answer, sizeof call->answer, "%u", call->control->sectors->tone_edges);
    return true;
}

static bool do_run(call_t *call) {
    long us;
    if (!call->control->lockstep || !number(call, 1, 3600000000, &us)) {
        return false;
    }
    call->control->run_us((uint64_t)us);
    snprintf(call->answer, sizeof call->answer, "%llu", (unsigned long long)call->control->line->sent);
    return true;
}

static bool do_time(call_t *call) {
    const uint64_t us = call->control->avr->cycle / (call->control->avr->frequency / 1000000u);
    snprintf(call->answer, sizeof call->answer, "%llu", (unsigned long long)us);
    return true;
}

static bool do_quit(call_t *call) {
    call->control->quit = true;
    return true;
}

static const struct {
    const char *word;
    bool (*act)(call_t *call);
} COMMANDS[] = {
    {"close", do_close}, {"open", do_open}, {"bounce", do_bounce}, {"stick", do_stick}, {"free", do_free},
    {"break", do_break}, {"mend", do_mend}, {"boards", do_boards}, {"cut_return", do_cut_return},
    {"damage", do_damage}, {"say", do_say}, {"reset", do_reset}, {"hang", do_hang}, {"plug", do_plug},
    {"unplug", do_unplug}, {"lights", do_lights}, {"tone", do_tone}, {"run", do_run}, {"time", do_time},
    {"quit", do_quit},
};

static void obey(control_t *control, int fd, char *text) {
    call_t call = {.control = control, .rest = text + strcspn(text, " ")};
    const size_t length = (size_t)(call.rest - text);
    const char *outcome = "unknown";
    for (size_t i = 0; i < sizeof COMMANDS / sizeof *COMMANDS; i++) {
        if (strlen(COMMANDS[i].word) == length && strncmp(COMMANDS[i].word, text, length) == 0) {
            outcome = COMMANDS[i].act(&call) ? "ok" : "refused";
        }
    }
    dprintf(fd, "%s %s\n", outcome, call.answer);
}

static void hear(control_t *control, caller_t *caller) {
    const ssize_t count = read(caller->fd, caller->bytes + caller->count, CALL_BYTES - 1 - caller->count);
    if (count <= 0) {
        close(caller->fd);
        caller->fd = -1;
        return;
    }
    caller->count += (size_t)count;
    caller->bytes[caller->count] = '\0';
    char *end;
    while ((end = memchr(caller->bytes, '\n', caller->count)) != NULL) {
        *end = '\0';
        obey(control, caller->fd, caller->bytes);
        caller->count -= (size_t)(end + 1 - caller->bytes);
        memmove(caller->bytes, end + 1, caller->count);
    }
    if (caller->count == CALL_BYTES - 1) {
        caller->count = 0;
    }
}

static void welcome(control_t *control) {
    const int fd = accept4(control->listener, NULL, NULL, SOCK_CLOEXEC);
    for (int i = 0; i < CALLERS && fd >= 0; i++) {
        if (control->callers[i].fd < 0) {
            control->callers[i].fd = fd;
            control->callers[i].count = 0;
            return;
        }
    }
    close(fd);
}

bool control_listen(control_t *control, const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        return false;
    }
    memcpy(address.sun_path, path, strlen(path) + 1);
    unlink(path);
    control->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    for (int i = 0; i < CALLERS; i++) {
        control->callers[i].fd = -1;
    }
    return bind(control->listener, (struct sockaddr *)&address, sizeof address) == 0 &&
           listen(control->listener, CALLERS) == 0;
}

void control_attend(control_t *control, int timeout_us) {
    struct pollfd waiting[CALLERS + 2] = {{.fd = control->listener, .events = POLLIN}, {.fd = 0, .events = POLLIN}};
    for (int i = 0; i < CALLERS; i++) {
        waiting[i + 2] = (struct pollfd){.fd = control->callers[i].fd, .events = POLLIN};
    }
    const struct timespec timeout = {0, timeout_us * 1000L};
    if (ppoll(waiting, CALLERS + 2, timeout_us < 0 ? NULL : &timeout, NULL) <= 0) {
        return;
    }
    for (int i = 0; i < CALLERS; i++) {
        if (waiting[i + 2].revents != 0) {
            hear(control, &control->callers[i]);
        }
    }
    if (waiting[0].revents != 0) {
        welcome(control);
    }
    /* Whoever started us holds the other end of standard input: when that closes, nobody needs us any more. */
    char ignored[64];
    if (waiting[1].revents != 0 && read(0, ignored, sizeof ignored) <= 0) {
        control->quit = true;
    }
}
