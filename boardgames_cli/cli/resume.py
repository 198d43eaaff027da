"""``boardgames resume [SAVE]``: continues a saved game."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from boardgames_cli.cli import completion
from boardgames_cli.cli.command import CommonOptions, argument, examples, make_command
from boardgames_cli.cli.frontend import Front
from boardgames_cli.cli.open_table import (
    check_seats,
    check_tick,
    choose_front,
    run_session,
    settings_for,
)
from boardgames_cli.cli.parameters import Folder, RealTime, Show, Trust
from boardgames_cli.core.errors import GameError, StorageError
from boardgames_cli.session.setup import resume_session
from boardgames_cli.storage.store import Store


@dataclass(frozen=True, slots=True)
class ResumeArguments:
    """The save."""

    save: str | None = argument(
        "Its name or file; by default the last unfinished game.",
        default=None,
        autocompletion=completion.saves,
        show_default=False,
    )


def resume(
    which: ResumeArguments,
    show: Show,
    folder: Folder,
    common: CommonOptions,
    real_time: RealTime = RealTime(),  # noqa: B008  # frozen
    trust: Trust = Trust(),  # noqa: B008  # frozen
) -> int:
    """Continue a save."""
    choice = choose_front(show, common)
    check_tick(choice, real_time.tick, show)
    settings = replace(settings_for(choice, show, folder.save_dir), tick=real_time.tick)
    name = which.save or latest(Store.at(folder.save_dir))
    may_run = trust.decision(can_ask=choice.front is not Front.JSON)
    session = resume_session(name, settings, may_run=may_run)
    try:
        if session.match.is_over:
            raise GameError(
                f"the game {name} is over.", f"To see it again: boardgames replay {name}"
            )
        seats = [holder.spec for holder in session.holders]
        check_seats(session.game, seats, choice, show.shared_screen)
    except GameError:
        session.close()
        raise
    return run_session(session, settings, choice)


def latest(store: Store) -> str:
    """The name of the last unfinished game."""
    summary = store.latest()
    if summary is None:
        raise StorageError(
            f"there is no unfinished game in {store.place}.",
            "Start one, for example: boardgames play senet",
        )
    return summary.name


make = partial(
    make_command,
    action=resume,
    help="Continue a saved game, by default the last unfinished one.",
    epilog=examples("resume", "resume senet-3 --plain"),
)
