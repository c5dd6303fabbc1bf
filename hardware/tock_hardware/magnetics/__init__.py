"""Chooses magnets, sensors, depth and distance of holes: calculated with worst-case margins."""
