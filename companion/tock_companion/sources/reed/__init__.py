"""The reed board: switches under the holes, read by a microcontroller that talks over a serial line."""
