"""Buttons, lights and buzzer at the table: requests in, signals out."""
