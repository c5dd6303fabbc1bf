/* What the companion asks of the board. */
#ifndef TOCK_COMMANDS_H
#define TOCK_COMMANDS_H

#include "board.h"

/* Obeys the frame that the board's reader holds; an unknown or too short one is ignored. */
void commands_obey(board_t *board);

#endif
