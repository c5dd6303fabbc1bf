/* The reed board: scans, debounces, answers. All state is in one struct; the caller brings the time. */
#ifndef TOCK_BOARD_H
#define TOCK_BOARD_H

#include "chain.h"
#include "debounce.h"
#include "events.h"
#include "frame.h"

/* What the port knows of this start. */
typedef struct {
    uint32_t build;
    uint32_t nonce;
    uint16_t features;
    uint8_t board_kind;
    uint8_t reset_cause;
} identity_t;

typedef struct {
    identity_t identity;
    frame_reader_t reader;
    debounce_t debounce;
    events_t events;
    uint8_t raw[CHAIN_BYTES];
    uint8_t leds[CHAIN_BYTES];
    uint8_t period_ms;
    uint32_t now_ms;
    uint32_t scanned_ms;
    uint32_t heartbeat_ms;
    uint32_t started_ms;
    uint16_t scans;
    uint16_t bad_scans;
    uint16_t ring_bits;
    uint16_t ring_before; /* a new length counts when it was measured twice in a row */
    uint8_t boards;
    uint8_t alive;
    uint8_t faults;
    uint8_t faults_reported;
    uint8_t bad_in_a_row;
    uint8_t good_in_a_row;
    bool primed; /* the inputs are known */
    uint8_t frame_seq;
    /* What waits to be sent: */
    bool hello_due;
    bool snapshot_due;
    bool self_test_due;
    bool heartbeat_due;
    bool ack_due;
    uint8_t events_before_snapshot;
    uint8_t self_test_token;
    ack_t ack;
    /* The last BUZZ, so that its repetition is silent: */
    bool buzz_known;
    uint8_t buzz_token;
    bool buzzing;
    uint32_t buzz_end_ms;
    bool reset_due;
} board_t;

/* Begins; `board` may hold anything before. */
void board_start(board_t *board, const identity_t *identity, uint32_t now_ms);

/* Takes in a byte from the companion. */
void board_receive(board_t *board, uint8_t byte);

/* Does what is due at a time and sends what there is room for; to be called at least once a millisecond. */
void board_run(board_t *board, uint32_t now_ms);

#endif
