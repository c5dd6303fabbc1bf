"""Whole evenings at the page, walked by a program that knows only what is on the screen."""
