"""After how long a silent link counts as down, seen from either home; the far page has `js/far/link_timeouts.js`."""

PING_S = 5.0
"""A guest says something this often."""
GUEST_SILENT_S = 3 * PING_S
"""Silence after which the home takes a guest for gone."""
HOME_SILENT_S = 2 * PING_S
"""Silence after which a board elsewhere takes the home for gone, and says hello again."""
CUT_S = PING_S + 2.0
"""The same once the broker has said that the guest's connection ended: anybody with the link can have it say so."""
HELLO_EVERY_S = 3.0
