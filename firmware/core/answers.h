/* What the board says, in the order that keeps a heartbeat from overtaking an answer. */
#ifndef TOCK_ANSWERS_H
#define TOCK_ANSWERS_H

#include "board.h"

/* Sends what waits, as far as there is room. */
void answers_send(board_t *board);

/* Notes that a snapshot is wanted; events that wait already go first. */
void answers_want_snapshot(board_t *board);

#endif
