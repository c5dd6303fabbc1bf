/* libFuzzer: any bytes at any pace never hurt the board, and it always answers a good question afterwards. */
#include <stdlib.h>

#include "host.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static void answers(board_t *board, uint32_t now_ms) {
    uint8_t wire[FRAME_WIRE];
    const uint8_t versions[] = {PROTOCOL_MAJOR, PROTOCOL_MINOR};
    const uint8_t size = frame_write(wire, TYPE_HELLO_REQUEST, 0, versions, sizeof versions);
    for (uint8_t i = 0; i < size; i++) {
        board_receive(board, wire[i]);
    }
    frame_reader_t reader = {.count = 0};
    host.sent_count = 0;
    board_run(board, now_ms);
    for (uint16_t i = 0; i < host.sent_count; i++) {
        if (frame_read(&reader, host.sent[i]) && reader.type == TYPE_HELLO) {
            return;
        }
    }
    abort();
}

/* Some bytes come to the board as they are; others as good frames, or no fuzzer would ever get past the checksum. */
static void hear(board_t *board, const uint8_t *bytes, size_t count) {
    if (count < 3u || (bytes[0] & 1u) == 0u) {
        for (size_t i = 0; i < count; i++) {
            board_receive(board, bytes[i]);
        }
        return;
    }
    uint8_t wire[FRAME_WIRE];
    const uint8_t size = frame_write(wire, bytes[1], bytes[2], bytes + 3, (uint8_t)(count - 3u));
    for (uint8_t i = 0; i < size; i++) {
        board_receive(board, wire[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    static board_t board;
    uint32_t now_ms = 0;
    host_start(2);
    const identity_t identity = host_identity(7);
    board_start(&board, &identity, now_ms);
    for (; now_ms < 20u; now_ms++) {
        board_run(&board, now_ms);
    }
    for (size_t at = 0; at < count;) {
        const size_t most = 1u + bytes[at] % 48u;
        const size_t size = most < count - at ? most : count - at;
        hear(&board, bytes + at, size);
        /* Then a millisecond passes and a switch moves, as the bytes will have it. */
        host.closed[bytes[at] % 3u] ^= (uint8_t)(1u << (bytes[at] >> 5));
        host.sent_count = 0;
        board_run(&board, ++now_ms);
        at += size;
    }
    if (board.debounce.samples == 0u || board.debounce.samples > DEBOUNCE_SAMPLES_MAX || board.period_ms == 0u) {
        abort();
    }
    for (uint32_t end_ms = now_ms + 80u; now_ms < end_ms; now_ms++) {
        host.sent_count = 0;
        board_run(&board, now_ms);
    }
    answers(&board, now_ms);
    return 0;
}
