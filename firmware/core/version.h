/* Version of the firmware; the companion compares it with the one that it would flash. */
#ifndef TOCK_VERSION_H
#define TOCK_VERSION_H

#define FIRMWARE_MAJOR 1u
#define FIRMWARE_MINOR 0u
#define FIRMWARE_PATCH 0u

#endif
