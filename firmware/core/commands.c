#include "commands.h"

#include "answers.h"
#include "port.h"

#define PERIOD_MAX_MS 20u
#define TONE_MIN_HZ 100u
#define TONE_MAX_HZ 10000u
#define BUZZ_MAX_MS 5000u

static void acknowledge(board_t *board, uint8_t token, uint8_t result) {
    board->ack.token = token;
    board->ack.command = board->reader.type;
    board->ack.result = result;
    board->ack_due = true;
}

static uint8_t set_leds(board_t *board, const leds_t *leds) {
    if ((board->identity.features & FEATURE_LEDS) == 0u) {
        return RESULT_UNSUPPORTED;
    }
    memset(board->leds, 0, sizeof board->leds);
    memcpy(board->leds, leds->bitmap, leds->bitmap_size);
    return RESULT_DONE;
}

static uint8_t change_debounce(board_t *board, const set_debounce_t *command) {
    if (command->samples == 0u || command->samples > DEBOUNCE_SAMPLES_MAX || command->period_ms == 0u ||
        command->period_ms > PERIOD_MAX_MS) {
        return RESULT_BAD_VALUE;
    }
    board->debounce.samples = command->samples;
    board->period_ms = command->period_ms;
    /* A counter that already stands above the new number would never meet it. */
    memset(board->debounce.plane, 0, sizeof board->debounce.plane);
    return RESULT_DONE;
}

static uint8_t buzz(board_t *board, const buzz_t *command) {
    if ((board->identity.features & FEATURE_BUZZER) == 0u) {
        return RESULT_UNSUPPORTED;
    }
    if (board->buzz_known && board->buzz_token == command->token) {
        return RESULT_DONE;
    }
    const bool audible = command->frequency_hz >= TONE_MIN_HZ && command->frequency_hz <= TONE_MAX_HZ;
    if ((!audible && command->frequency_hz != 0u) || command->ms > BUZZ_MAX_MS) {
        return RESULT_BAD_VALUE;
    }
    board->buzz_known = true;
    board->buzz_token = command->token;
    board->buzzing = audible;
    board->buzz_end_ms = board->now_ms + command->ms;
    port_tone(command->frequency_hz);
    return RESULT_DONE;
}

static uint8_t reset(board_t *board, const reset_t *command) {
    if (command->nonce != board->identity.nonce) {
        return RESULT_BAD_VALUE;
    }
    board->reset_due = true;
    return RESULT_DONE;
}

void commands_obey(board_t *board) {
    const uint8_t *payload = board->reader.payload;
    const uint8_t size = board->reader.size;
    union {
        leds_t leds;
        set_debounce_t debounce;
        self_test_request_t self_test;
        buzz_t buzz;
        reset_t reset;
    } command;
    switch (board->reader.type) {
    case TYPE_HELLO_REQUEST:
        /* Before the inputs are known HELLO could not tell the number of sector boards; it comes by itself then. */
        board->hello_due = board->hello_due || board->primed || board->faults_reported != 0u;
        break;
    case TYPE_SNAPSHOT_REQUEST:
        answers_want_snapshot(board);
        break;
    case TYPE_LEDS:
        if (leds_read(&command.leds, payload, size)) {
            acknowledge(board, command.leds.token, set_leds(board, &command.leds));
        }
        break;
    case TYPE_SET_DEBOUNCE:
        if (set_debounce_read(&command.debounce, payload, size)) {
            acknowledge(board, command.debounce.token, change_debounce(board, &command.debounce));
        }
        break;
    case TYPE_SELF_TEST_REQUEST:
        if (self_test_request_read(&command.self_test, payload, size)) {
            board->self_test_token = command.self_test.token;
            board->self_test_due = true;
        }
        break;
    case TYPE_BUZZ:
        if (buzz_read(&command.buzz, payload, size)) {
            acknowledge(board, command.buzz.token, buzz(board, &command.buzz));
        }
        break;
    case TYPE_RESET:
        if (reset_read(&command.reset, payload, size)) {
            acknowledge(board, command.reset.token, reset(board, &command.reset));
        }
        break;
    default:
        break;
    }
}
