/* Made by firmware/protocol/generate.py from protocol.toml; edit that and run it. */
#ifndef TOCK_PROTOCOL_H
#define TOCK_PROTOCOL_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define PROTOCOL_MAJOR 1u
#define PROTOCOL_MINOR 0u
#define BAUD 115200ul /* bits a second, 8 data bits, no parity, 1 stop bit */
#define PAYLOAD_MAX 64u /* bytes of payload in one frame */
#define INPUTS_PER_BOARD 32u /* inputs of one sector board: four 74HC165 */
#define BOARDS_MAX 8u /* sector boards in one chain */
#define HEARTBEAT_MS 250u /* from one HEARTBEAT to the next */
#define HELLO_RETRY_MS 300u /* from one HELLO_REQUEST to the next until a HELLO comes */
#define SNAPSHOT_RETRY_MS 100u /* from one SNAPSHOT_REQUEST to the next while in doubt */
#define COMMAND_RETRY_MS 100u /* until a command without ACK is sent again */
#define COMMAND_TRIES 5u /* times a command is sent before the companion gives it up */
#define SILENCE_MS 1000u /* without any good frame until the link counts as down */
#define FIXED_LOW_INPUT 26u /* input of every sector board that is tied to ground: always closed */
#define FIXED_HIGH_INPUT 27u /* input of every sector board that is tied to the supply: always open */
#define RING_STUCK 65535u /* ring_bits when the data line never goes low */

/* the microcontroller that runs the firmware */
#define BOARD_KIND_ATMEGA328P 1u /* Arduino Nano or Uno */
#define BOARD_KIND_RP2040 2u /* Raspberry Pi Pico (emulated, never run on silicon) */
#define BOARD_KIND_HOST 3u /* the same core as a Linux process, for tests */

/* why the firmware started */
#define RESET_CAUSE_UNKNOWN 0u /* the bootloader has wiped the reason */
#define RESET_CAUSE_POWER_ON 1u /* the supply came */
#define RESET_CAUSE_BROWN_OUT 2u /* the supply dropped too low: a weak cable or too many lights */
#define RESET_CAUSE_EXTERNAL 3u /* reset pin: button, or the port was opened */
#define RESET_CAUSE_HANG 4u /* the watchdog: the main loop stood still */
#define RESET_CAUSE_COMMAND 5u /* a RESET command */

/* the outcome of a command */
#define RESULT_DONE 0u /* obeyed, or obeyed before under the same token */
#define RESULT_BAD_VALUE 1u /* a value out of its range; nothing changed */
#define RESULT_UNSUPPORTED 2u /* this board cannot do it */

/* a fault of the chain; 0 when all is well */
#define FAULT_RING 1u /* the self-test's bit did not come round: a broken wire somewhere in the ring */
#define FAULT_MISALIGNED 2u /* a sector board's fixed inputs read wrong; all inputs keep their last state */
#define FAULT_NO_BOARDS 4u /* not one sector board answers */

/* a capability of the board */
#define FEATURE_LEDS 1u /* lights under the holes, a 74HC595 chain on the same clock */
#define FEATURE_BUZZER 2u /* BUZZ */
#define FEATURE_RING 4u /* self-test of the chain through its return wire */

/* types of message */
#define TYPE_HELLO 0x01u
#define TYPE_SNAPSHOT 0x02u
#define TYPE_EVENT 0x03u
#define TYPE_HEARTBEAT 0x04u
#define TYPE_SELF_TEST 0x05u
#define TYPE_ACK 0x06u
#define TYPE_HELLO_REQUEST 0x41u
#define TYPE_SNAPSHOT_REQUEST 0x42u
#define TYPE_LEDS 0x43u
#define TYPE_SET_DEBOUNCE 0x44u
#define TYPE_SELF_TEST_REQUEST 0x45u
#define TYPE_BUZZ 0x46u
#define TYPE_RESET 0x47u

static inline uint8_t *put_u8(uint8_t *at, uint8_t value) {
    *at = value;
    return at + 1;
}

static inline uint8_t *put_u16(uint8_t *at, uint16_t value) {
    return put_u8(put_u8(at, (uint8_t)(value & 0xFFu)), (uint8_t)(value >> 8));
}

static inline uint8_t *put_u32(uint8_t *at, uint32_t value) {
    return put_u16(put_u16(at, (uint16_t)(value & 0xFFFFu)), (uint16_t)(value >> 16));
}

static inline uint8_t get_u8(const uint8_t *at) { return *at; }

static inline uint16_t get_u16(const uint8_t *at) { return (uint16_t)(at[0] | ((uint16_t)at[1] << 8)); }

static inline uint32_t get_u32(const uint8_t *at) { return get_u16(at) | ((uint32_t)get_u16(at + 2) << 16); }

#define HELLO_SIZE 22u
typedef struct {
    uint8_t protocol_major;
    uint8_t protocol_minor;
    uint8_t firmware_major;
    uint8_t firmware_minor;
    uint8_t firmware_patch;
    uint32_t build;
    uint8_t board_kind;
    uint32_t nonce;
    uint8_t reset_cause;
    uint8_t boards;
    uint8_t boards_alive;
    uint8_t faults;
    uint16_t features;
    uint8_t debounce_samples;
    uint8_t debounce_period_ms;
} hello_t;

static inline uint8_t hello_write(const hello_t *message, uint8_t *payload) {
    uint8_t *at = payload;
    at = put_u8(at, message->protocol_major);
    at = put_u8(at, message->protocol_minor);
    at = put_u8(at, message->firmware_major);
    at = put_u8(at, message->firmware_minor);
    at = put_u8(at, message->firmware_patch);
    at = put_u32(at, message->build);
    at = put_u8(at, message->board_kind);
    at = put_u32(at, message->nonce);
    at = put_u8(at, message->reset_cause);
    at = put_u8(at, message->boards);
    at = put_u8(at, message->boards_alive);
    at = put_u8(at, message->faults);
    at = put_u16(at, message->features);
    at = put_u8(at, message->debounce_samples);
    at = put_u8(at, message->debounce_period_ms);
    return (uint8_t)(at - payload);
}

#define SNAPSHOT_SIZE 7u
typedef struct {
    uint32_t ms;
    uint16_t event_seq;
    uint8_t faults;
    const uint8_t *bitmap;
    uint8_t bitmap_size;
} snapshot_t;

static inline uint8_t snapshot_write(const snapshot_t *message, uint8_t *payload) {
    uint8_t *at = payload;
    at = put_u32(at, message->ms);
    at = put_u16(at, message->event_seq);
    at = put_u8(at, message->faults);
    memcpy(at, message->bitmap, message->bitmap_size);
    at += message->bitmap_size;
    return (uint8_t)(at - payload);
}

#define EVENT_SIZE 8u
typedef struct {
    uint16_t event_seq;
    uint32_t ms;
    uint8_t input;
    uint8_t closed;
} event_t;

static inline uint8_t event_write(const event_t *message, uint8_t *payload) {
    uint8_t *at = payload;
    at = put_u16(at, message->event_seq);
    at = put_u32(at, message->ms);
    at = put_u8(at, message->input);
    at = put_u8(at, message->closed);
    return (uint8_t)(at - payload);
}

#define HEARTBEAT_SIZE 22u
typedef struct {
    uint32_t ms;
    uint16_t event_seq;
    uint16_t bitmap_crc;
    uint8_t faults;
    uint8_t boards;
    uint8_t boards_alive;
    uint16_t ring_bits;
    uint16_t scans;
    uint16_t bad_scans;
    uint16_t bad_frames;
    uint8_t overflows;
    uint16_t stack_free;
} heartbeat_t;

static inline uint8_t heartbeat_write(const heartbeat_t *message, uint8_t *payload) {
    uint8_t *at = payload;
    at = put_u32(at, message->ms);
    at = put_u16(at, message->event_seq);
    at = put_u16(at, message->bitmap_crc);
    at = put_u8(at, message->faults);
    at = put_u8(at, message->boards);
    at = put_u8(at, message->boards_alive);
    at = put_u16(at, message->ring_bits);
    at = put_u16(at, message->scans);
    at = put_u16(at, message->bad_scans);
    at = put_u16(at, message->bad_frames);
    at = put_u8(at, message->overflows);
    at = put_u16(at, message->stack_free);
    return (uint8_t)(at - payload);
}

#define SELF_TEST_SIZE 4u
typedef struct {
    uint8_t token;
    uint16_t ring_bits;
    uint8_t boards_alive;
    const uint8_t *raw;
    uint8_t raw_size;
} self_test_t;

static inline uint8_t self_test_write(const self_test_t *message, uint8_t *payload) {
    uint8_t *at = payload;
    at = put_u8(at, message->token);
    at = put_u16(at, message->ring_bits);
    at = put_u8(at, message->boards_alive);
    memcpy(at, message->raw, message->raw_size);
    at += message->raw_size;
    return (uint8_t)(at - payload);
}

#define ACK_SIZE 3u
typedef struct {
    uint8_t token;
    uint8_t command;
    uint8_t result;
} ack_t;

static inline uint8_t ack_write(const ack_t *message, uint8_t *payload) {
    uint8_t *at = payload;
    at = put_u8(at, message->token);
    at = put_u8(at, message->command);
    at = put_u8(at, message->result);
    return (uint8_t)(at - payload);
}

#define HELLO_REQUEST_SIZE 2u
typedef struct {
    uint8_t protocol_major;
    uint8_t protocol_minor;
} hello_request_t;

static inline bool hello_request_read(hello_request_t *message, const uint8_t *payload, uint8_t size) {
    if (size < HELLO_REQUEST_SIZE) {
        return false;
    }
    message->protocol_major = get_u8(payload + 0);
    message->protocol_minor = get_u8(payload + 1);
    return true;
}

#define LEDS_SIZE 1u
typedef struct {
    uint8_t token;
    const uint8_t *bitmap;
    uint8_t bitmap_size;
} leds_t;

static inline bool leds_read(leds_t *message, const uint8_t *payload, uint8_t size) {
    if (size < LEDS_SIZE) {
        return false;
    }
    message->token = get_u8(payload + 0);
    message->bitmap = payload + 1;
    message->bitmap_size = (uint8_t)(size - 1u);
    if (message->bitmap_size > 32u) {
        message->bitmap_size = 32u;
    }
    return true;
}

#define SET_DEBOUNCE_SIZE 3u
typedef struct {
    uint8_t token;
    uint8_t samples;
    uint8_t period_ms;
} set_debounce_t;

static inline bool set_debounce_read(set_debounce_t *message, const uint8_t *payload, uint8_t size) {
    if (size < SET_DEBOUNCE_SIZE) {
        return false;
    }
    message->token = get_u8(payload + 0);
    message->samples = get_u8(payload + 1);
    message->period_ms = get_u8(payload + 2);
    return true;
}

#define SELF_TEST_REQUEST_SIZE 1u
typedef struct {
    uint8_t token;
} self_test_request_t;

static inline bool self_test_request_read(self_test_request_t *message, const uint8_t *payload, uint8_t size) {
    if (size < SELF_TEST_REQUEST_SIZE) {
        return false;
    }
    message->token = get_u8(payload + 0);
    return true;
}

#define BUZZ_SIZE 5u
typedef struct {
    uint8_t token;
    uint16_t frequency_hz;
    uint16_t ms;
} buzz_t;

static inline bool buzz_read(buzz_t *message, const uint8_t *payload, uint8_t size) {
    if (size < BUZZ_SIZE) {
        return false;
    }
    message->token = get_u8(payload + 0);
    message->frequency_hz = get_u16(payload + 1);
    message->ms = get_u16(payload + 3);
    return true;
}

#define RESET_SIZE 5u
typedef struct {
    uint8_t token;
    uint32_t nonce;
} reset_t;

static inline bool reset_read(reset_t *message, const uint8_t *payload, uint8_t size) {
    if (size < RESET_SIZE) {
        return false;
    }
    message->token = get_u8(payload + 0);
    message->nonce = get_u32(payload + 1);
    return true;
}

#endif
