"""Laws of interactive play: default actions, seats that are out, shared screens, keys, lists."""

from __future__ import annotations

import itertools
import warnings
from typing import Final

from boardgames_cli.core.errors import ActionError, IllegalActionError
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.view import KeySet
from boardgames_cli.testing.findings import BrokenLaw, ContractWarning, Law, demand
from boardgames_cli.testing.laws.views import ViewScene
from boardgames_cli.testing.scene import Scene

_MOST_PEOPLE: Final = 4


def passes_time_by_something_legal(scene: Scene) -> None:
    """default_action is legal for each acting seat, or None in the whole game."""
    game, state = scene.game, scene.state
    is_timed = game.default_action(game.initial_state(), 0) is not None
    for seat in scene.acting:
        action = game.default_action(state, seat)
        demand(
            (action is not None) == is_timed,
            f"default_action of seat {seat} is {action!r}, unlike at the start",
            "Either every seat can always let time pass, or none ever.",
        )
        demand(
            action is None or action in game.legal_actions(state, seat),
            f"default_action of seat {seat} is {action!r}, which is not legal",
            "Choose an action that is legal wherever the seat acts.",
        )


def asks_nobody_who_is_out(scene: Scene) -> None:
    """A seat that is_out never acts, and once the game is over all seats are out."""
    game, state = scene.game, scene.state
    for seat in range(game.seats):
        is_out = game.is_out(state, seat)
        demand(
            not (is_out and seat in scene.acting),
            f"seat {seat} is out, but it acts",
            "is_out must be false for every seat that may still act.",
        )
        demand(
            is_out or not game.is_over(state),
            f"the game is over, but seat {seat} is not out",
            "is_out must be true for all seats once the game is over.",
        )


def settles_for_good(scene: Scene) -> None:
    """A seat that is_settled never acts or gains again, and once the game is over all are."""
    game, state = scene.game, scene.state
    before = scene.match.state_at(scene.ply - 1) if scene.ply else None
    for seat in range(game.seats):
        is_settled = game.is_settled(state, seat)
        demand(
            is_settled or not game.is_over(state),
            f"the game is over, but seat {seat} is not settled",
            "is_settled must be true for all seats once the game is over.",
        )
        demand(
            not (is_settled and seat in scene.acting),
            f"seat {seat} is settled, but it acts",
            "is_settled must be false for every seat that may still act.",
        )
        if before is not None and game.is_settled(before, seat):
            demand(
                is_settled and game.returns(state)[seat] == game.returns(before)[seat],
                f"seat {seat} was settled before this step, and it changed something for it",
                "is_settled must be false for every seat that may act or be paid again.",
            )


def pools_what_each_knows(scene: Scene) -> None:
    """What seats know together includes all that each of them knows."""
    game, state = scene.game, scene.state
    for seats in itertools.permutations(range(game.seats), 2):
        pooled = game.redact_for_all(state, seats)
        first = seats[0]
        demand(
            game.redact(pooled, first) == game.redact(state, first),
            f"seats {seats} together see {pooled!r}",
            f"Of that, seat {first} must recognise all that it knows.",
        )
    for seat in range(game.seats):
        demand(
            game.redact_for_all(state, (seat,)) == game.redact(state, seat),
            f"seat {seat} alone sees {game.redact_for_all(state, (seat,))!r}",
            "For a single seat redact_for_all must equal redact.",
        )


def lists_what_is_legal(scene: ViewScene) -> None:
    """The shortlist holds legal actions, each once, and a glance at them is one line."""
    view = scene.view
    for seen in scene.seen:
        listed = list(view.shortlist(seen))
        demand(
            all(action in seen.legal for action in listed) and len(set(listed)) == len(listed),
            f"of {len(seen.legal)} legal actions {listed} are listed",
            "List legal actions only, and none of them twice.",
        )
        demand(
            bool(listed) == bool(seen.legal),
            "something is legal, but nothing is listed",
            "List at least one action, so that people can go on.",
        )
        glance = view.at_a_glance(seen) if seen.legal else ""
        demand("\n" not in glance, f"{glance!r} is more than one line", "Keep it to one line.")


def numbers_mean_one_thing(scene: ViewScene) -> None:
    """A typed number means one action, as a notation and as a place in the list.

    Notation comes first where people type. So a notation of digits alone must not be the number
    of another action in the list; where it never is, it is allowed, but warned of.
    """
    game = scene.scene.game
    for seen in scene.seen:
        numbers = []
        for number, action in enumerate(scene.view.shortlist(seen), start=1):
            named = game.action_named(str(number))
            if named is None:
                continue
            demand(
                named == action,
                f"{str(number)!r} is the notation of an action, and the list's number of {action}",
                "Put a letter into the notation, or list actions so that each has its own number.",
            )
            numbers.append(repr(str(number)))
        if numbers:
            warnings.warn(
                f"{game.info.id}: the notations {', '.join(numbers)} are also numbers of the list; "
                "a letter in them would keep the two apart.",
                ContractWarning,
                stacklevel=2,
            )


def reports_what_it_promises(scene: ViewScene) -> None:
    """Every report gives lines of text, and at least one."""
    view = scene.view
    for seen in scene.seen:
        for context in scene.contexts(seen):
            for word in view.reports if seen.legal else ():
                lines = view.report(seen, word, context)
                demand(
                    bool(lines) and all(line and "\n" not in line for line in lines),
                    f"the report {word!r} is {lines!r}",
                    "Say in a sentence that there is nothing to report.",
                )


def gives_keys_that_mean_something(scene: ViewScene) -> None:
    """Every key means an action of the game, which need not be legal now; none has two meanings."""
    game, view = scene.scene.game, scene.view
    for people in range(1, _MOST_PEOPLE + 1):
        sets = view.key_sets(people)
        demand(
            len(sets) in (0, 1, people),
            f"for {people} people there are {len(sets)} sets of keys",
            "Give a set for each, one for all in turn, or none.",
        )
        keys = [key for own in sets for key in (*own.actions, *own.words)]
        twice = sorted(key for key in set(keys) if keys.count(key) > 1)
        demand(not twice, f"keys {twice} are given twice", "Give each key one meaning.")
        for own in sets:
            _check_meanings(scene, game, own)


def _check_meanings(scene: ViewScene, game: AnyGame, own: KeySet) -> None:
    words = [next(iter(own.words.values()))] * own.word_count if own.words else []
    for seat in scene.scene.acting:
        for text in own.actions.values():
            for said in (text, " ".join([text, *words])):
                try:
                    game.parse(scene.scene.state, seat, said)
                except IllegalActionError:
                    pass  # still an action: who presses the key is told why it is illegal now
                except ActionError as error:
                    raise BrokenLaw(
                        f"a key means {said!r}, and {error.message}",
                        "Let each key name an action of the game, as people would type it.",
                    ) from error


LAWS: Final[tuple[Law, ...]] = (
    passes_time_by_something_legal,
    asks_nobody_who_is_out,
    settles_for_good,
    pools_what_each_knows,
)

VIEW_LAWS: Final[tuple[Law, ...]] = (
    lists_what_is_legal,
    numbers_mean_one_thing,
    reports_what_it_promises,
    gives_keys_that_mean_something,
)
