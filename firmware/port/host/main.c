/* The reed board as a Linux process: bytes on standard input and output, time from the system's clock.
 *
 * Usage: tock-reed-host BOARDS [SWITCHES], where SWITCHES is a file of 32 bytes, one bit an input, read every millisecond. */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "host.h"

static uint32_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint32_t)((uint64_t)now.tv_sec * 1000u + (uint64_t)now.tv_nsec / 1000000u);
}

static void read_switches(int file) {
    uint8_t closed[CHAIN_BYTES];
    if (file >= 0 && pread(file, closed, sizeof closed, 0) == (ssize_t)sizeof closed) {
        memcpy(host.closed, closed, sizeof closed);
    }
}

int main(int count, char **words) {
    static board_t board;
    const long boards = count > 1 ? strtol(words[1], NULL, 10) : 0;
    const int switches = count > 2 ? open(words[2], O_RDONLY) : -1;
    if (boards < 1 || boards > (long)BOARDS_MAX || (count > 2 && switches < 0)) {
        fprintf(stderr, "usage: %s BOARDS [SWITCHES]\n", words[0]);
        return 2;
    }
    uint32_t starts = 0;
    do {
        host_start((uint8_t)boards);
        const identity_t identity = host_identity(starts++);
        board_start(&board, &identity, now_ms());
        while (!host.reset) {
            struct pollfd waiting = {.fd = STDIN_FILENO, .events = POLLIN};
            uint8_t bytes[256];
            ssize_t got = 0;
            if (poll(&waiting, 1, 1) > 0 && (got = read(STDIN_FILENO, bytes, sizeof bytes)) <= 0) {
                return 0;
            }
            for (ssize_t i = 0; i < got; i++) {
                board_receive(&board, bytes[i]);
            }
            read_switches(switches);
            board_run(&board, now_ms());
            if (host.sent_count > 0 && write(STDOUT_FILENO, host.sent, host.sent_count) != host.sent_count) {
                return 1;
            }
            host.sent_count = 0;
        }
    } while (true);
}
