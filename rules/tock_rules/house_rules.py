"""Every rule switch of the game as one field with its sentence; the five games are presets of these fields.

The sentences say what "yes" or the number means; the values stand in the preset files beside the statement that they
rest on.
"""

from dataclasses import dataclass
from typing import Literal

from tock_rules.switches import choice, number, yes_no

Teams = Literal["individual", "choose", "teams"]
Dealing = Literal["keep_hand", "table", "descending"]
StockRenewal = Literal["shuffled", "turned"]
ThrowExit = Literal["off", "whole_round", "first_turn"]
JokerSecondWhen = Literal["any_use", "advance_only"]
Passing = Literal["free", "forbidden"]
PartnerLanding = Literal["sent_back", "forbidden"]
StartProtection = Literal["fresh", "any_own", "none"]
KingAtProtected = Literal["blocked", "passes", "takes"]
StartNotSwapped = Literal["protected", "any_on_start"]
Five = Literal["opponent", "own", "any"]
FiveIntoHome = Literal["never", "choice"]
JackSwap = Literal["any", "opponent", "other_player"]
DottedLineCost = Literal["one_step", "whole_card"]
DottedDouble = Literal["off", "one_line", "two_lines"]
OwnStartCrossing = Literal["drive_on", "forbidden"]
NoPlay = Literal["discard_one", "hand_down", "by_starter"]
TalkPenalty = Literal["warning", "card_and_turn"]


@dataclass(frozen=True, kw_only=True)
class HouseRules:
    """Everything a table can choose, with defaults where the texts are silent."""

    # Players, packs, dealing
    fewest_players: int = number(2, (2,), also=(3, 4))
    """Number of players, at least."""
    most_players: int = number(8, (4, 8), also=(2, 3, 5, 6, 7))
    """Number of players, at most."""
    odd_players: bool = yes_no(True)
    """Any number of players may play, not only 2 or 4."""
    teams: Teams = choice("individual", Teams)
    """How the players form sides."""
    packs: int = number(1, (1, 2), also=(3, 4))
    """Packs of cards in the game."""
    second_pack_from: int = number(0, (0, 5, 7))
    """From this many players a second pack is added (0: never)."""
    jokers: bool = yes_no(True)
    """The pack has its two jokers."""
    extra_sevens: bool = yes_no(False)
    """One seven per player is added."""
    deux_de_pique: bool = yes_no(False)
    """The two of spades brings a pawn out."""
    dealing: Dealing = choice("keep_hand", Dealing)
    """How cards are dealt."""
    hand_size: int = number(5, (4, 5, 6), also=(3, 7, 8))
    """Cards in a first hand."""
    deal_5_4_4: bool = yes_no(False)
    """Hands of 5, 4 and 4 instead of 5, 4, 3 and the rest."""
    draw_after_card: bool = yes_no(True)
    """After playing a card a player draws one."""
    stock_renewal: StockRenewal = choice("shuffled", StockRenewal)
    """What happens when the stock is empty."""
    card_exchange: bool = yes_no(False)
    """Partners give each other one card before each hand."""

    # Coming out
    ace_starts: bool = yes_no(True)
    """An Ace brings a pawn out."""
    king_starts: bool = yes_no(True)
    """A King brings a pawn out."""
    joker_starts: bool = yes_no(True)
    """A joker brings a pawn out."""
    throw_exit: ThrowExit = choice("off", ThrowExit)
    """A player dealt no card that brings a pawn out may throw the whole hand to do so."""

    # Values
    ace_value: int = number(1, (1, 11), also=(14,))
    """Holes an Ace advances."""
    ace_eleven: bool = yes_no(False)
    """An Ace may also advance 11."""
    two_swaps: bool = yes_no(False)
    """A two may swap a pawn with another player’s instead."""
    jack_value: int = number(0, (0, 11), also=(10,))
    """Holes a Jack advances (0: it only swaps)."""
    queen_value: int = number(12, (12,), also=(10, 14))
    """Holes a Queen advances."""
    queen_burns: bool = yes_no(False)
    """A Queen may make the next player lose a card and the turn instead."""
    king_value: int = number(13, (13,), also=(0, 10))
    """Holes a King advances (0: it only brings out)."""
    joker_value: int = number(18, (15, 18), also=(14, 20))
    """Holes a joker advances."""

    # The joker’s second move
    joker_second_move: bool = yes_no(False)
    """A joker gives a second move, now or later."""
    joker_store_limit: int = number(0, (0, 1, 2, 3))
    """Second moves a player may keep (0: any number)."""
    joker_second_when: JokerSecondWhen = choice("any_use", JokerSecondWhen)
    """Which joker gives a second move."""
    joker_second_compulsory: bool = yes_no(False)
    """The second move must be played at once."""

    joker_brings_last: bool = yes_no(True)
    """The last pawn of a side may come home with a joker that stands for another card."""

    # Passing and taking
    passing: Passing = choice("free", Passing)
    """Passing other pawns."""
    king_sweeps: bool = yes_no(True)
    """A King takes every pawn it passes."""
    colour_joker_sweeps: bool = yes_no(False)
    """The colour joker takes every pawn it passes."""
    partner_landing: PartnerLanding = choice("sent_back", PartnerLanding)
    """Landing on a partner’s pawn."""

    # The pawn on its start hole
    start_protection: StartProtection = choice("fresh", StartProtection, also=("none",))
    """Which pawn on its own start is protected."""
    start_blocks: bool = yes_no(True)
    """A protected pawn cannot be passed."""
    king_at_protected: KingAtProtected = choice("blocked", KingAtProtected)
    """The effect of a King on a protected pawn."""
    start_not_swapped: StartNotSwapped = choice("protected", StartNotSwapped)
    """Which pawn on its start the others may not swap."""
    owner_may_swap_protected: bool = yes_no(True)
    """Players may swap their own protected pawn."""
    start_push_immune: bool = yes_no(False)
    """A five does not move a protected pawn."""

    # Five, seven, Jack
    five: Five = choice("opponent", Five, also=("any",))
    """Whose pawn a five advances."""
    five_into_home: FiveIntoHome = choice("never", FiveIntoHome)
    """Whether a five brings an opponent home."""
    seven_pawns: int = number(4, (1, 2, 3, 4), also=(5,))
    """Pawns that may share a seven."""
    seven_same_pawn_twice: bool = yes_no(False)
    """A pawn may get several parts of a seven."""
    seven_partner_rest: bool = yes_no(True)
    """A seven that brings a player’s last pawn home goes on with a partner’s."""
    seven_takes: bool = yes_no(False)
    """A seven takes every pawn it passes."""
    seven_with_mates: bool = yes_no(False)
    """A seven may be shared with a partner’s pawns throughout."""
    jack_swap: JackSwap = choice("any", JackSwap)
    """Whose pawn a player may swap one of their own with."""
    one_eyed_jack: bool = yes_no(False)
    """A one-eyed Jack swaps any two pawns."""
    one_eyed_compulsory: bool = yes_no(False)
    """A one-eyed Jack that can only swap others’ pawns must be played."""

    # Short ways
    summit_jump: bool = yes_no(False)
    """From a 7 a pawn may jump to the next 7."""
    jump_takes_first: bool = yes_no(True)
    """A jumping pawn also takes the pawn on the first 7."""
    jump_optional: bool = yes_no(True)
    """A pawn may stay on the 7."""
    jump_chain: bool = yes_no(False)
    """A pawn may jump on from 7 to 7."""
    jump_after_four: bool = yes_no(True)
    """A pawn may jump backwards after a four."""
    jump_after_five: bool = yes_no(True)
    """A pawn pushed by a five may jump."""
    jump_in_seven: bool = yes_no(True)
    """A part of a seven may end with a jump."""
    jump_over_own_start: bool = yes_no(True)
    """A pawn may jump forwards across its own start."""
    dotted_lines: bool = yes_no(False)
    """On boards of more than 4 zones a pawn on a 7 may leave by the dotted line."""
    dotted_line_cost: DottedLineCost = choice("one_step", DottedLineCost)
    """The cost of a dotted line."""
    dotted_double: DottedDouble = choice("one_line", DottedDouble)
    """The double jump on 8 zones."""
    centre: bool = yes_no(False)
    """The board’s centre hole is a shortcut between the 7s."""
    centre_jack_swap: bool = yes_no(True)
    """A Jack may swap a pawn in the centre."""

    # Going home, end, turn
    entrance_back: int = number(2, (0, 1, 2), also=(3, 4, 5))
    """Holes between the home entrance and the start."""
    own_start_crossing: OwnStartCrossing = choice("drive_on", OwnStartCrossing)
    """A card that does not let a pawn in."""
    voluntary_bypass: bool = yes_no(False)
    """A pawn that could enter may go on instead."""
    finished_plays_mates: bool = yes_no(True)
    """Players who are finished play a partner’s pawns."""
    forced_play: bool = yes_no(True)
    """If you can play, you must."""
    no_play: NoPlay = choice("discard_one", NoPlay)
    """When no card can be played."""
    laid_card_binding: bool = yes_no(False)
    """A card that was laid and can be played must be played."""
    talk_forbidden: bool = yes_no(False)
    """Partners do not talk about the game."""
    talk_penalty: TalkPenalty = choice("warning", TalkPenalty)
    """The penalty for talking about the game."""
