#include "board.h"

#include "answers.h"
#include "commands.h"
#include "port.h"

#define PERIOD_MS 2u
#define BAD_SCANS_TO_TELL 3u
#define GOOD_SCANS_TO_CLEAR 4u
#define NO_BOARDS_MS 100u

static uint32_t since(const board_t *board, uint32_t ms) { return board->now_ms - ms; }

void board_start(board_t *board, const identity_t *identity, uint32_t now_ms) {
    memset(board, 0, sizeof *board);
    board->identity = *identity;
    board->debounce.samples = DEBOUNCE_SAMPLES;
    board->period_ms = PERIOD_MS;
    board->now_ms = now_ms;
    board->started_ms = now_ms;
    board->scanned_ms = now_ms;
    board->heartbeat_ms = now_ms;
}

void board_receive(board_t *board, uint8_t byte) {
    if (frame_read(&board->reader, byte)) {
        commands_obey(board);
    }
}

static void set_fault(board_t *board, uint8_t fault, bool present) {
    if (present) {
        board->faults |= fault;
    } else {
        board->faults &= (uint8_t)~fault;
    }
}

/* Measures the ring; a length counts when it was measured twice in a row. */
static void test_ring(board_t *board) {
    const uint16_t bits = chain_ring();
    const bool steady = bits == board->ring_before;
    board->ring_before = bits;
    if (!steady) {
        return;
    }
    board->ring_bits = bits;
    const bool whole = bits != 0u && bits % INPUTS_PER_BOARD == 0u && bits != RING_STUCK;
    set_fault(board, FAULT_RING, !whole);
    const uint8_t boards = (uint8_t)(bits / INPUTS_PER_BOARD);
    if (whole && boards != board->boards) {
        board->boards = boards;
        board->primed = false;
        board->good_in_a_row = 0;
    }
}

/* Takes the first good scans as they are; only then is there anything to say. */
static void prime(board_t *board) {
    if (board->good_in_a_row == 1u) {
        debounce_prime(&board->debounce, board->raw);
        events_drop(&board->events);
    }
    if (board->good_in_a_row > board->debounce.samples) {
        board->primed = true;
        board->hello_due = true;
        answers_want_snapshot(board);
    }
}

/* Notes the switches that have closed, or those that have opened. */
static void note_changes(board_t *board, const uint8_t *changed, bool closed) {
    const uint32_t seen_ms = board->now_ms - (uint32_t)(board->debounce.samples - 1u) * board->period_ms;
    const uint8_t bytes = (uint8_t)(board->boards * BOARD_BYTES);
    for (uint8_t index = 0; index < bytes; index++) {
        const uint8_t stable = board->debounce.stable[index];
        uint8_t wanted = changed[index] & (closed ? stable : (uint8_t)~stable);
        for (uint8_t bit = 0; wanted != 0u; bit++, wanted >>= 1) {
            if ((wanted & 1u) != 0u && !events_add(&board->events, (uint8_t)(index * 8u + bit), closed, seen_ms)) {
                answers_want_snapshot(board);
                board->events_before_snapshot = 0;
            }
        }
    }
}

static void take_scan(board_t *board) {
    uint8_t changed[CHAIN_BYTES] = {0};
    uint8_t any = 0;
    const uint8_t bytes = (uint8_t)(board->boards * BOARD_BYTES);
    for (uint8_t index = 0; index < bytes; index++) {
        changed[index] = debounce_byte(&board->debounce, index, board->raw[index]);
        any |= changed[index];
    }
    if (any != 0u && board->primed) {
        /* Within one scan, openings are sent before closings: a pawn is lifted before it is put down. */
        note_changes(board, changed, false);
        note_changes(board, changed, true);
    }
}

static void scan(board_t *board) {
    memset(board->raw, 0, sizeof board->raw);
    const uint8_t boards = board->boards != 0u ? board->boards : BOARDS_MAX;
    port_scan(board->raw, board->leds, (uint8_t)(boards * BOARD_BYTES));
    board->scans++;
    const uint8_t alive = chain_alive(board->raw, boards);
    if (board->boards == 0u) {
        /* The ring is broken since the start: what answers is all that there is. */
        if ((board->faults & FAULT_RING) != 0u && alive > 0u) {
            board->boards = alive;
            board->alive = alive;
        }
        set_fault(board, FAULT_NO_BOARDS, alive == 0u && since(board, board->started_ms) >= NO_BOARDS_MS);
        return;
    }
    if (alive < board->boards) {
        board->bad_scans++;
        board->good_in_a_row = 0;
        if (board->bad_in_a_row < BAD_SCANS_TO_TELL) {
            board->bad_in_a_row++;
        } else {
            board->alive = alive;
            set_fault(board, FAULT_MISALIGNED, true);
        }
        return;
    }
    board->bad_in_a_row = 0;
    if (board->good_in_a_row < UINT8_MAX) {
        board->good_in_a_row++;
    }
    if (board->good_in_a_row >= GOOD_SCANS_TO_CLEAR) {
        board->alive = alive;
        set_fault(board, FAULT_MISALIGNED | FAULT_NO_BOARDS, false);
    }
    take_scan(board);
    if (!board->primed) {
        prime(board);
    }
}

void board_run(board_t *board, uint32_t now_ms) {
    board->now_ms = now_ms;
    if (board->buzzing && (int32_t)(now_ms - board->buzz_end_ms) >= 0) {
        board->buzzing = false;
        port_tone(0);
    }
    if (since(board, board->heartbeat_ms) >= HEARTBEAT_MS || (board->boards == 0u && board->faults == 0u)) {
        board->heartbeat_ms = now_ms;
        board->heartbeat_due = true;
        test_ring(board);
    }
    if (since(board, board->scanned_ms) >= board->period_ms) {
        board->scanned_ms = now_ms;
        scan(board);
    }
    if (board->faults != board->faults_reported) {
        if (board->primed) {
            board->heartbeat_due = true;
        } else if ((board->faults & (FAULT_MISALIGNED | FAULT_NO_BOARDS)) != 0u) {
            /* The inputs may stay unknown: say at least why. */
            board->hello_due = true;
            board->faults_reported = board->faults;
        }
    }
    answers_send(board);
    if (board->reset_due && !board->ack_due) {
        port_reset();
    }
}
