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
StartProtection = Literal["fresh", "any_own"]
KingAtProtected = Literal["blocked", "passes", "takes"]
StartNotSwapped = Literal["protected", "any_on_start"]
Five = Literal["opponent", "own"]
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
    fewest_players: int = number(2, (2,), "Number of players, at least.", "Nombre de joueurs, au moins.")
    most_players: int = number(8, (4, 8), "Number of players, at most.", "Nombre de joueurs, au plus.")
    odd_players: bool = yes_no(
        True,
        "Any number of players may play, not only 2 or 4.",
        "On peut jouer à 3, 5 ou 7 aussi, pas seulement à 2 ou 4.",
    )
    teams: Teams = choice("individual", Teams, "Who plays together.", "Qui joue ensemble.")
    packs: int = number(1, (1, 2), "Packs of cards in the game.", "Nombre de jeux de cartes.")
    second_pack_from: int = number(
        0,
        (0, 5, 7),
        "From this many players a second pack is added (0: never).",
        "À partir de ce nombre de joueurs on ajoute un second jeu (0 : jamais).",
    )
    jokers: bool = yes_no(True, "The pack has its two jokers.", "Le jeu contient ses deux jokers.")
    extra_sevens: bool = yes_no(False, "One seven per player is added.", "On ajoute un sept par joueur.")
    deux_de_pique: bool = yes_no(
        False, "The two of spades brings a pawn out.", "Le deux de pique fait sortir un pion."
    )
    dealing: Dealing = choice("keep_hand", Dealing, "How cards are dealt.", "Comment on distribue.")
    hand_size: int = number(5, (4, 5, 6), "Cards in a first hand.", "Cartes de la première main.")
    deal_5_4_4: bool = yes_no(
        False,
        "Hands of 5, 4 and 4 instead of 5, 4, 3 and the rest.",
        "Des mains de 5, 4 et 4 au lieu de 5, 4, 3 et le reste.",
    )
    draw_after_card: bool = yes_no(
        True, "After playing a card a player draws one.", "Qui a joué une carte en pioche une."
    )
    stock_renewal: StockRenewal = choice(
        "shuffled",
        StockRenewal,
        "What happens when the stock is empty.",
        "Quand la pioche est vide.",
    )
    card_exchange: bool = yes_no(
        False,
        "Partners give each other one card before each hand.",
        "Les partenaires s’échangent une carte avant chaque main.",
    )

    # Coming out
    ace_starts: bool = yes_no(True, "An Ace brings a pawn out.", "Un as fait sortir un pion.")
    king_starts: bool = yes_no(True, "A King brings a pawn out.", "Un roi fait sortir un pion.")
    joker_starts: bool = yes_no(True, "A joker brings a pawn out.", "Un joker fait sortir un pion.")
    throw_exit: ThrowExit = choice(
        "off",
        ThrowExit,
        "A player dealt no card that brings a pawn out may throw the whole hand to do so.",
        "Si aucune carte reçue ne fait sortir de pion, on peut jeter toute sa main pour sortir un pion.",
    )

    # Values
    ace_value: int = number(1, (1, 11), "Holes an Ace advances.", "De combien de cases avance un as.")
    jack_value: int = number(
        0,
        (0, 11),
        "Holes a Jack advances (0: it only swaps).",
        "De combien de cases avance un valet (0 : il échange seulement).",
    )
    queen_value: int = number(12, (12,), "Holes a Queen advances.", "De combien de cases avance une dame.")
    king_value: int = number(13, (13,), "Holes a King advances.", "De combien de cases avance un roi.")
    joker_value: int = number(18, (15, 18), "Holes a joker advances.", "De combien de cases avance un joker.")

    # The joker’s second move
    joker_second_move: bool = yes_no(
        False,
        "A joker gives a second move, now or later.",
        "Un joker donne un second coup, tout de suite ou plus tard.",
    )
    joker_store_limit: int = number(
        0,
        (0, 1, 2, 3),
        "Second moves a player may keep (0: any number).",
        "Seconds coups qu’on peut garder (0 : sans limite).",
    )
    joker_second_when: JokerSecondWhen = choice(
        "any_use", JokerSecondWhen, "Which joker gives a second move.", "Quel joker le donne."
    )
    joker_second_compulsory: bool = yes_no(
        False, "The second move must be played at once.", "Le second coup se joue tout de suite."
    )

    # Passing and taking
    passing: Passing = choice("free", Passing, "Passing other pawns.", "Dépasser d’autres pions.")
    king_sweeps: bool = yes_no(
        True, "A King takes every pawn it passes.", "Un roi prend tous les pions qu’il dépasse."
    )
    colour_joker_sweeps: bool = yes_no(
        False,
        "The colour joker takes every pawn it passes.",
        "Le joker de couleur prend tous les pions qu’il dépasse.",
    )
    partner_landing: PartnerLanding = choice(
        "sent_back",
        PartnerLanding,
        "Landing on a partner’s pawn.",
        "Arriver sur un pion du partenaire.",
    )

    # The pawn on its start hole
    start_protection: StartProtection = choice(
        "fresh",
        StartProtection,
        "Which pawn on its own start is protected.",
        "Quel pion est protégé sur sa case de départ.",
    )
    start_blocks: bool = yes_no(
        True, "A protected pawn cannot be passed.", "Un pion protégé ne peut pas être dépassé."
    )
    king_at_protected: KingAtProtected = choice(
        "blocked",
        KingAtProtected,
        "What a King does at a protected pawn.",
        "Un roi qui rencontre un pion protégé.",
    )
    start_not_swapped: StartNotSwapped = choice(
        "protected",
        StartNotSwapped,
        "Which pawn on its start the others may not swap.",
        "Quel pion, sur son départ, les autres ne peuvent pas échanger.",
    )
    owner_may_swap_protected: bool = yes_no(
        True, "Players may swap their own protected pawn.", "Le propriétaire peut échanger son pion protégé."
    )
    start_push_immune: bool = yes_no(
        False, "A five does not move a protected pawn.", "Un cinq ne déplace pas un pion protégé."
    )

    # Five, seven, Jack
    five: Five = choice("opponent", Five, "Whose pawn a five advances.", "Quel pion un cinq fait avancer.")
    five_into_home: FiveIntoHome = choice(
        "never",
        FiveIntoHome,
        "Whether a five brings an opponent home.",
        "Si un cinq fait rentrer le pion d’un autre joueur.",
    )
    seven_pawns: int = number(
        4, (1, 2, 3, 4), "Pawns that may share a seven.", "Pions qui peuvent se partager un sept."
    )
    seven_same_pawn_twice: bool = yes_no(
        False, "A pawn may get several parts of a seven.", "Un pion peut recevoir plusieurs parts d’un sept."
    )
    seven_partner_rest: bool = yes_no(
        True,
        "A seven that brings a player’s last pawn home goes on with a partner’s.",
        "Un sept qui rentre le dernier pion continue avec un pion du partenaire.",
    )
    jack_swap: JackSwap = choice(
        "any",
        JackSwap,
        "Whose pawn a player may swap one of their own with.",
        "Avec qui un valet échange son pion.",
    )
    one_eyed_jack: bool = yes_no(
        False, "A one-eyed Jack swaps any two pawns.", "Un valet à un œil échange deux pions quelconques."
    )
    one_eyed_compulsory: bool = yes_no(
        False,
        "A one-eyed Jack that can only swap others’ pawns must be played.",
        "Un valet à un œil qui ne peut échanger que d’autres pions doit être joué.",
    )

    # Short ways
    summit_jump: bool = yes_no(
        False, "From a 7 a pawn may jump to the next 7.", "D’une case 7 un pion peut sauter à la 7 suivante."
    )
    jump_takes_first: bool = yes_no(
        True,
        "A jumping pawn also takes the pawn on the first 7.",
        "Le saut prend aussi le pion sur la première 7.",
    )
    jump_optional: bool = yes_no(True, "A pawn may stay on the 7.", "On peut rester sur la 7.")
    jump_chain: bool = yes_no(False, "A pawn may jump on from 7 to 7.", "On peut sauter de 7 en 7.")
    jump_after_four: bool = yes_no(
        True, "A pawn may jump backwards after a four.", "On peut sauter en arrière après un quatre."
    )
    jump_after_five: bool = yes_no(
        True,
        "A pawn pushed by a five may jump.",
        "On peut faire sauter le pion poussé par un cinq.",
    )
    jump_in_seven: bool = yes_no(
        True, "A part of a seven may end with a jump.", "Une part d’un sept peut finir par un saut."
    )
    jump_over_own_start: bool = yes_no(
        True,
        "A pawn may jump forwards across its own start.",
        "On peut sauter en avant par-dessus son départ.",
    )
    dotted_lines: bool = yes_no(
        False,
        "On boards of more than 4 zones a pawn on a 7 may leave by the dotted line.",
        "À plus de 4 zones un pion sur une 7 peut partir par le trait pointillé.",
    )
    dotted_line_cost: DottedLineCost = choice(
        "one_step",
        DottedLineCost,
        "What a dotted line costs.",
        "Ce que coûte un trait pointillé.",
    )
    dotted_double: DottedDouble = choice(
        "one_line",
        DottedDouble,
        "The double jump on 8 zones.",
        "Le double saut à 8 zones.",
    )
    centre: bool = yes_no(
        False,
        "The board’s centre hole is a shortcut between the 7s.",
        "La case du centre est un raccourci entre les 7.",
    )
    centre_jack_swap: bool = yes_no(
        True, "A Jack may swap a pawn in the centre.", "Un valet peut échanger un pion du centre."
    )

    # Going home, end, turn
    entrance_back: int = number(
        2,
        (0, 1, 2),
        "Holes between the home entrance and the start.",
        "Cases entre l’entrée de la maison et le départ.",
    )
    own_start_crossing: OwnStartCrossing = choice(
        "drive_on",
        OwnStartCrossing,
        "A card that does not let a pawn in.",
        "Une carte qui ne fait pas rentrer un pion.",
    )
    voluntary_bypass: bool = yes_no(
        False, "A pawn that could enter may go on instead.", "Un pion qui pourrait rentrer peut continuer."
    )
    finished_plays_mates: bool = yes_no(
        True,
        "Players who are finished play a partner’s pawns.",
        "Qui a tout rentré joue les pions de son partenaire.",
    )
    forced_play: bool = yes_no(True, "If you can play, you must.", "Si tu peux jouer, tu dois jouer.")
    no_play: NoPlay = choice(
        "discard_one",
        NoPlay,
        "When no card can be played.",
        "Quand aucune carte n’est jouable.",
    )
    laid_card_binding: bool = yes_no(
        False,
        "A card that was laid and can be played must be played.",
        "Une carte posée et jouable doit être jouée.",
    )
    talk_forbidden: bool = yes_no(
        False, "Partners do not talk about the game.", "Les partenaires ne parlent pas du jeu."
    )
    talk_penalty: TalkPenalty = choice(
        "warning",
        TalkPenalty,
        "What it costs to talk about the game.",
        "Ce qu’il en coûte de parler du jeu.",
    )
