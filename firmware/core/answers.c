#include "answers.h"

#include "crc.h"
#include "port.h"
#include "version.h"

/* A companion in doubt must not wait for ever behind switches that chatter. */
#define EVENTS_BEFORE_SNAPSHOT 16u

static uint8_t bitmap_size(const board_t *board) { return (uint8_t)(board->boards * BOARD_BYTES); }

static void send(board_t *board, uint8_t type, const uint8_t *payload, uint8_t size) {
    uint8_t wire[FRAME_WIRE];
    const uint8_t count = frame_write(wire, type, board->frame_seq, payload, size);
    board->frame_seq++;
    port_send(wire, count);
}

static void send_hello(board_t *board, uint8_t *payload) {
    const identity_t *identity = &board->identity;
    const hello_t hello = {
        .protocol_major = PROTOCOL_MAJOR,
        .protocol_minor = PROTOCOL_MINOR,
        .firmware_major = FIRMWARE_MAJOR,
        .firmware_minor = FIRMWARE_MINOR,
        .firmware_patch = FIRMWARE_PATCH,
        .build = identity->build,
        .board_kind = identity->board_kind,
        .nonce = identity->nonce,
        .reset_cause = identity->reset_cause,
        .boards = board->boards,
        .boards_alive = board->alive,
        .faults = board->faults,
        .features = identity->features,
        .debounce_samples = board->debounce.samples,
        .debounce_period_ms = board->period_ms,
    };
    send(board, TYPE_HELLO, payload, hello_write(&hello, payload));
}

static void send_snapshot(board_t *board, uint8_t *payload) {
    const snapshot_t snapshot = {
        .ms = board->now_ms,
        .event_seq = board->events.last_seq,
        .faults = board->faults,
        .bitmap = board->debounce.stable,
        .bitmap_size = bitmap_size(board),
    };
    send(board, TYPE_SNAPSHOT, payload, snapshot_write(&snapshot, payload));
}

static void send_self_test(board_t *board, uint8_t *payload) {
    const self_test_t self_test = {
        .token = board->self_test_token,
        .ring_bits = board->ring_bits,
        .boards_alive = board->alive,
        .raw = board->raw,
        .raw_size = bitmap_size(board),
    };
    send(board, TYPE_SELF_TEST, payload, self_test_write(&self_test, payload));
}

static void send_heartbeat(board_t *board, uint8_t *payload) {
    const heartbeat_t heartbeat = {
        .ms = board->now_ms,
        .event_seq = board->events.last_seq,
        .bitmap_crc = crc_of(board->debounce.stable, bitmap_size(board)),
        .faults = board->faults,
        .boards = board->boards,
        .boards_alive = board->alive,
        .ring_bits = board->ring_bits,
        .scans = board->scans,
        .bad_scans = board->bad_scans,
        .bad_frames = board->reader.bad,
        .overflows = board->events.overflows,
        .stack_free = port_stack_free(),
    };
    send(board, TYPE_HEARTBEAT, payload, heartbeat_write(&heartbeat, payload));
}

/* Sends the next thing; false when nothing waits. */
static bool send_next(board_t *board) {
    uint8_t payload[PAYLOAD_MAX];
    event_t event;
    if (board->ack_due) {
        board->ack_due = false;
        send(board, TYPE_ACK, payload, ack_write(&board->ack, payload));
    } else if (board->hello_due) {
        board->hello_due = false;
        send_hello(board, payload);
    } else if (board->snapshot_due && board->primed && board->events_before_snapshot == 0u) {
        board->snapshot_due = false;
        events_drop(&board->events);
        send_snapshot(board, payload);
    } else if (events_take(&board->events, &event)) {
        if (board->events_before_snapshot > 0u) {
            board->events_before_snapshot--;
        }
        send(board, TYPE_EVENT, payload, event_write(&event, payload));
    } else if (board->snapshot_due && board->primed) {
        board->events_before_snapshot = 0;
    } else if (board->self_test_due) {
        board->self_test_due = false;
        send_self_test(board, payload);
    } else if (board->heartbeat_due && (board->primed || board->faults_reported != 0u)) {
        board->heartbeat_due = false;
        board->faults_reported = board->faults;
        send_heartbeat(board, payload);
    } else {
        return false;
    }
    return true;
}

void answers_want_snapshot(board_t *board) {
    if (!board->snapshot_due) {
        board->snapshot_due = true;
        board->events_before_snapshot = EVENTS_BEFORE_SNAPSHOT;
    }
}

void answers_send(board_t *board) {
    while (port_room() >= FRAME_WIRE && send_next(board)) {
    }
}
