"""A camera that holds still: its automatics settle while the board is seen, and are held from then on."""
