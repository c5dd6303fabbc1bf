"""`/api/v1/membership`: the host lets the table join the club whose desk is on its broker, or leave it."""

from typing import TYPE_CHECKING

from flask import Blueprint, abort, jsonify
from flask.typing import ResponseReturnValue

from tock_companion.schema import Schema
from tock_web.answers.people import Done, Refusal
from tock_web.club.answers import Membership
from tock_web.club.member import ClubServices
from tock_web.context import context
from tock_web.feature import Feature
from tock_web.serving.faults import refusal
from tock_web.serving.gate import Who, endpoint

if TYPE_CHECKING:
    from tock_companion.mqtt.member import Member

membership = Blueprint("membership", __name__, url_prefix="/api/v1/membership")
MEMBERSHIP = Feature("club", (membership,), host_words=("club.", "membership."))


class MemberChoice(Schema):
    """Whether the table is to be a member of the club."""

    member: bool


@membership.get("")
@endpoint(answer=Membership, who=Who.HOST)
def state() -> ResponseReturnValue:
    """The club that the table may join, and whether it has."""
    found = _member()
    answer: Membership = {
        "offered": found is not None,
        "broker": found is not None and found.broker_up,
        "club": None if found is None else found.club_met,
        "member": found is not None and found.is_member,
        "elsewhere": found is not None and found.is_elsewhere,
    }
    return jsonify(answer)


@membership.post("")
@endpoint(body=MemberChoice, answer=Done, refusal=Refusal, who=Who.HOST, ends=True)
def choose(asked: MemberChoice) -> ResponseReturnValue:
    """Join the club, or leave it."""
    found = _member()
    if found is None:
        abort(404, "this companion knows no broker")
    if not asked.member:
        found.leave()
    elif not found.join():
        return refusal(409, "club/no-desk")
    return jsonify({"ok": True})


def _member() -> "Member | None":
    found = context().services.of_feature(ClubServices)
    return None if found is None else found.member
