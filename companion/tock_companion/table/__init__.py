"""The table of one game, in three packages, each importing only from those before it.

`core` is pure: a step makes of a state and a message the next state and its events. `seats` is who holds which seat,
and whose cards are hidden from whom. `runtime` has the effects: `live.Table` is what other threads call, `writer` the
one thread that takes steps, stores them and shows them.
"""
