"""The rules of Tock: geometry, cards, moves, rulesets, positions. Pure: no clock, no threads, no logging."""
