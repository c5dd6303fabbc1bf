"""Scores of layouts (`Layout.score`) from which discovery decides, from the highest to the lowest.

Each clear hole and each even step of a zone adds to a score. CLEAR, FULL and EMPTY_CONFIDENCE are of `4c76c3e3`, WORSE
of `88d4c84f`, CAMP_MARGIN and TOUCHED of `d0cdcf1d`.
"""

FULL = 12.0
"""A board of which every hole is clear: the top of the reported confidence."""
EMPTY_CONFIDENCE = 6.0
"""A layout with no confidence at all."""
TWO_BOARDS = 11.0
"""From here two layouts that differ are two boards (`62d5e4e2`: pairs of stills)."""
AGREED = 10.5
"""A layout is accepted once a second pass shows its plane again (`62d5e4e2`)."""
GOOD = 10.2
"""Below this holes may lie elsewhere and are asked about (`6d611e10`: 30 failures on made boards), and another view is
tried, by which the holes may be those of another game (`dd32a36a`: made boards of other games)."""
CLEAR, CLEAR_MARGIN = 9.5, 0.6
"""Score, and lead over the second layout, with which a layout ends the search and is not asked about."""
CAMP_MARGIN = 0.5
"""Lead over the same layout with other camps below which the camps are asked about."""
BELIEVED = 9.3
"""Below this a layout is no board (`2ea0a2ea`: checked cloth)."""
TOUCHED = 7.5
"""The same where the starts were touched, and for boards without symmetry, of which every hole is seen."""
WORSE = 1.0
"""By how much a layout seen again may score less and still replace the first."""
