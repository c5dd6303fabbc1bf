"""The panel beside the board: buttons, lights and a buzzer on the 40-pin header of the Raspberry Pi."""

BUTTONS = {"turn": 17, "undo": 27, "hint": 22}
LIGHTS = {"ok": 5, "warning": 6, "link": 13}
BUZZER = 18
