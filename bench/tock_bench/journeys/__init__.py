"""Journeys of a family through the page, walked by a program that knows only the words on the screen."""
