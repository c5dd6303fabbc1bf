"""The features of a table's page."""

from tock_web.club.membership import MEMBERSHIP
from tock_web.far.invitations import FAR
from tock_web.programs.public_events import PROGRAMS
from tock_web.workshop.board_maker import WORKSHOP

FEATURES = (WORKSHOP, MEMBERSHIP, FAR, PROGRAMS)
