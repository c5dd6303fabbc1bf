"""Which magnet over which sensor, how deep, how far from the next hole: calculated with worst-case margins."""
