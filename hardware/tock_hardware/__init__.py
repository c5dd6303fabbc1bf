"""Everything a maker needs for a real board, generated from `hardware/board.toml` and checked by machine."""
