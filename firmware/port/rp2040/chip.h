/* The registers of the RP2040 that the port uses; addresses and bits from the RP2040 data sheet (chapters in brackets). */
#ifndef TOCK_CHIP_H
#define TOCK_CHIP_H

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define BIT(number) (1ul << (number))

/* Every peripheral register has a twin that sets bits and one that clears them [2.1.2]. */
#define SET(address) REGISTER((address) + 0x2000u)
#define CLEAR(address) REGISTER((address) + 0x3000u)

/* Resets [2.14] */
#define RESETS 0x4000C000u
#define RESETS_DONE (RESETS + 8u)
#define RESET_IO 5
#define RESET_PADS 8
#define RESET_PLL_USB 13
#define RESET_PWM 14
#define RESET_TIMER 21
#define RESET_UART0 22

/* What a watchdog reset takes along [2.13]: all but the two oscillators */
#define PSM_WATCHDOG 0x40010008u
#define PSM_ALL_BUT_OSCILLATORS 0x1FFFCu

/* Clocks [2.15], crystal [2.16], ring oscillator [2.17], PLL [2.18] */
#define CLK_REF_CTRL 0x40008030u
#define CLK_REF_SELECTED 0x40008038u
#define CLK_SYS_CTRL 0x4000803Cu
#define CLK_SYS_SELECTED 0x40008044u
#define CLK_PERI_CTRL 0x40008048u
#define XOSC_CTRL 0x40024000u
#define XOSC_STATUS 0x40024004u
#define XOSC_STARTUP 0x4002400Cu
#define ROSC_RANDOM 0x4006001Cu
#define PLL_USB_CS 0x4002C000u
#define PLL_USB_PWR 0x4002C004u
#define PLL_USB_FBDIV 0x4002C008u
#define PLL_USB_PRIM 0x4002C00Cu

/* Pins [2.3.1, 2.19] */
#define SIO_IN 0xD0000004u
#define SIO_OUT_SET 0xD0000014u
#define SIO_OUT_CLEAR 0xD0000018u
#define SIO_OUT_TOGGLE 0xD000001Cu
#define SIO_ENABLE_SET 0xD0000024u
#define PIN_FUNCTION(pin) REGISTER(0x40014004u + 8u * (pin))
#define PAD(pin) REGISTER(0x4001C004u + 4u * (pin))
enum { FUNCTION_UART = 2, FUNCTION_PWM = 4, FUNCTION_SIO = 5 };

/* UART 0 [4.2], PWM [4.5], timer [4.6], watchdog [4.7], chip reset [2.12] */
#define UART_DATA 0x40034000u
#define UART_FLAGS 0x40034018u
#define UART_WHOLE 0x40034024u
#define UART_FRACTION 0x40034028u
#define UART_LINE 0x4003402Cu
#define UART_CTRL 0x40034030u
#define PWM_SLICE(slice) (0x40050000u + 0x14u * (slice))
#define TIMER_HIGH 0x40054024u
#define TIMER_LOW 0x40054028u
#define TIMER_ALARM0 0x40054010u
#define TIMER_INTR 0x40054034u
#define TIMER_INTE 0x40054038u
#define WATCHDOG_CTRL 0x40058000u
#define WATCHDOG_LOAD 0x40058004u
#define WATCHDOG_REASON 0x40058008u
#define WATCHDOG_SCRATCH(number) REGISTER(0x4005800Cu + 4u * (number))
#define WATCHDOG_TICK 0x4005802Cu
#define CHIP_RESET 0x40064008u

/* Cortex-M0+ [2.4] */
#define NVIC_ENABLE 0xE000E100u
#define TIMER_IRQ0 0

#endif
