/* The second stage of booting: the chip's ROM copies these 256 bytes from flash to RAM and runs them (RP2040 data sheet, 2.8.1.3).
 * They make the flash readable as memory with the plain read command 03h, which every chip knows, and start the firmware.
 * finish.py puts the checksum into the last four bytes. */
    .syntax unified
    .cpu cortex-m0plus
    .thumb
    .section .boot2, "ax"
    .global boot2
boot2:
    ldr r0, =0x18000000     /* the serial flash interface (4.10) */
    movs r1, #0
    str r1, [r0, #0x08]     /* SSIENR: off while it is changed */
    movs r1, #4
    str r1, [r0, #0x14]     /* BAUDR: a quarter of the system clock */
    ldr r1, =0x001F0300
    str r1, [r0, #0x00]     /* CTRLR0: 32 bits a frame, one wire, read like an EEPROM */
    movs r1, #0
    str r1, [r0, #0x04]     /* CTRLR1: one frame at a time */
    ldr r1, =0x03000218
    ldr r2, =0x180000F4
    str r1, [r2]            /* SPI_CTRLR0: command 03h of 8 bits, address of 24 bits */
    movs r1, #1
    str r1, [r0, #0x10]     /* SER: the flash is selected */
    str r1, [r0, #0x08]     /* SSIENR: on */
    ldr r0, =0x10000100     /* the firmware's vectors */
    ldr r1, =0xE000ED08
    str r0, [r1]            /* VTOR */
    ldr r1, [r0]
    msr msp, r1
    ldr r1, [r0, #4]
    bx r1
    .ltorg
