#include "line.h"

#include <avr_uart.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <termios.h>
#include <unistd.h>

#define BITS_PER_BYTE 10u
#define BAUD 115200u
#define ONE_MILLION 1000000u

static void put(line_ring_t *ring, uint8_t byte) {
    if (ring->count < LINE_BYTES) {
        ring->bytes[(ring->first + ring->count) % LINE_BYTES] = byte;
        ring->count++;
    }
}

static uint8_t take(line_ring_t *ring) {
    const uint8_t byte = ring->bytes[ring->first];
    ring->first = (ring->first + 1) % LINE_BYTES;
    ring->count--;
    return byte;
}

/* Xorshift: the same seed damages the same bytes. */
static uint32_t chance(line_t *line) {
    line->chance ^= line->chance << 13;
    line->chance ^= line->chance >> 7;
    line->chance ^= line->chance << 17;
    return (uint32_t)(line->chance >> 32);
}

static void put_damaged(line_t *line, line_ring_t *ring, uint8_t byte) {
    if (line->lose_ppm != 0 && chance(line) % ONE_MILLION < line->lose_ppm) {
        return;
    }
    if (line->flip_ppm != 0 && chance(line) % ONE_MILLION < line->flip_ppm) {
        byte ^= (uint8_t)(1u << (chance(line) % 8u));
    }
    put(ring, byte);
}

static void on_byte(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    line_t *line = param;
    put_damaged(line, &line->out, (uint8_t)value);
}

static void on_ready(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    (void)value;
    ((line_t *)param)->chip_full = false;
}

static void on_full(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    (void)value;
    ((line_t *)param)->chip_full = true;
}

bool line_connect(line_t *line, avr_t *avr, const char *link) {
    line->avr = avr;
    line->link = link;
    line->master = -1;
    line->openings = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    line->chance = 88172645463325252ull;
    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
    flags &= ~(uint32_t)(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POLL_SLEEP);
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    line->to_chip = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_byte, line);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XON), on_ready, line);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XOFF), on_full, line);
    return line->openings >= 0 && line_plug(line);
}

bool line_plug(line_t *line) {
    const int master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) {
        return false;
    }
    const char *name = ptsname(master);
    const int slave = open(name, O_RDWR | O_NOCTTY);
    struct termios raw;
    if (slave < 0 || tcgetattr(slave, &raw) != 0) {
        return false;
    }
    cfmakeraw(&raw);
    tcsetattr(slave, TCSANOW, &raw);
    /* Closing our own end lets the master tell by a hang-up that nobody holds the terminal. */
    close(slave);
    unlink(line->link);
    if (symlink(name, line->link) != 0 || inotify_add_watch(line->openings, name, IN_OPEN) < 0) {
        return false;
    }
    line->master = master;
    return true;
}

void line_unplug(line_t *line) {
    if (line->master >= 0) {
        unlink(line->link);
        close(line->master);
        line->master = -1;
    }
    line->out.count = line->in.count = 0;
}

void line_say(line_t *line, const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        put(&line->out, bytes[i]);
    }
}

static bool held(const line_t *line) {
    struct pollfd state = {.fd = line->master, .events = 0};
    poll(&state, 1, 0);
    return (state.revents & POLLHUP) == 0;
}

bool line_opened(line_t *line) {
    struct inotify_event happened;
    bool opened = false;
    /* Events of a device carry no name, so one reading of this size is one event. */
    while (read(line->openings, &happened, sizeof happened) == (ssize_t)sizeof happened) {
        opened = opened || (happened.mask & IN_OPEN) != 0;
    }
    return opened;
}

static void write_out(line_t *line) {
    const bool open = held(line);
    while (line->out.count > 0) {
        const size_t room = LINE_BYTES - line->out.first;
        size_t count = line->out.count < room ? line->out.count : room;
        /* Without a reader a board talks to the air. */
        if (open) {
            const ssize_t written = write(line->master, &line->out.bytes[line->out.first], count);
            if (written < 0) {
                return;
            }
            count = (size_t)written;
        }
        line->out.first = (line->out.first + count) % LINE_BYTES;
        line->out.count -= count;
        line->sent += count;
    }
}

void line_exchange(line_t *line) {
    if (line->master < 0) {
        line->sent += line->out.count;
        line->out.count = 0;
        return;
    }
    write_out(line);
    uint8_t bytes[256];
    const ssize_t count = read(line->master, bytes, sizeof bytes);
    for (ssize_t i = 0; i < count; i++) {
        put_damaged(line, &line->in, bytes[i]);
    }
    if (line->in.count > 0 && !line->chip_full && line->avr->cycle >= line->next_in) {
        line->next_in = line->avr->cycle + (uint64_t)line->avr->frequency * BITS_PER_BYTE / BAUD;
        avr_raise_irq(line->to_chip, take(&line->in));
    }
}

avr_cycle_count_t line_due(line_t *line) { return line->in.count > 0 ? line->next_in : 0; }
