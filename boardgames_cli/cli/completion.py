"""Shell completion. Nothing here may fail or take long."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from boardgames_cli.core.errors import GameError

if TYPE_CHECKING:
    from boardgames_cli.core.spec import GameSpec

_ASKED: Final = "_BOARDGAMES_COMPLETE"
_OPTIONS: Final = ("--install-completion", "--show-completion")
_FIRST_TAB: Final = '\n[ "$funcstack[1]" = _%(prog_name)s ] && %(complete_func)s\n'
"""What typer's script for zsh lacks: it is loaded by the first tab, which it then must answer."""
_BASH: Final = r"""
%(complete_func)s() {
    local line="${COMP_LINE:0:COMP_POINT}" word i
    word="${line##* }"
    mapfile -t COMPREPLY < <(
        env _TYPER_COMPLETE_ARGS="$line" %(autocomplete_var)s=complete_bash "$1")
    [[ -n ${COMPREPLY[0]} ]] || COMPREPLY=()
    [[ $word == *:* && $word != */* ]] && compopt +o default
    for i in "${!COMPREPLY[@]}"; do
        [[ $word == [\"\']* ]] || printf -v "COMPREPLY[i]" %%q "${COMPREPLY[i]}"
        [[ $COMP_WORDBREAKS == *:* ]] && COMPREPLY[i]="${COMPREPLY[i]#"${word%%"${word##*:}"}"}"
    done
}

complete -o default -F %(complete_func)s %(prog_name)s
"""
"""Instead of typer's script, which splits words at colons and does not quote what has spaces."""
_SHELLS: Final = ("bash", "zsh", "fish", "powershell", "pwsh")


def prepare(words: Sequence[str]) -> None:
    """Make typer's completion take a shell's name, and ignore requests that no shell made."""
    what, _, shell = os.environ.get(_ASKED, "").partition("_")
    is_told = "_TYPER_COMPLETE_ARGS" in os.environ  # typer's script for bash has other variables
    is_old = shell == "bash" and {"COMP_WORDS", "COMP_CWORD"} <= os.environ.keys()
    is_complete = what == "source" or is_told or is_old
    if what not in ("source", "complete") or shell not in _SHELLS or not is_complete:
        os.environ.pop(_ASKED, None)  # left behind by somebody; the command is meant
    elif what == "complete":
        _mend_answers(is_old=is_old and not is_told)
    if any(word.startswith(_OPTIONS) for word in words):
        _mend_scripts()
    for option in _OPTIONS:
        named = words[words.index(option) + 1 :][:1] if option in words else []
        is_joined = any(word.startswith(f"{option}=") for word in words)
        if is_joined or (named and not named[0].startswith("-")):
            # Without a name, typer looks which shell has started the program.
            os.environ["_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION"] = "1"


def _mend_scripts() -> None:
    from typer import _completion_shared as shared

    shared._completion_scripts["bash"] = _BASH.strip()
    shared._completion_scripts["zsh"] = shared.COMPLETION_SCRIPT_ZSH.rstrip() + _FIRST_TAB
    shared.Shells.__str__ = str.__str__  # type: ignore[method-assign]  # "bash", not "Shells.bash"


def _mend_answers(is_old: bool) -> None:
    """Offer no files behind a colon, as in ``human:``, and let bash send its line as zsh does."""
    from typer import _completion_classes as shells

    line = os.environ.get("_TYPER_COMPLETE_ARGS", "")
    if not is_old:
        shells.BashComplete.get_completion_args = (  # type: ignore[method-assign]
            shells.ZshComplete.get_completion_args  # type: ignore[assignment]
        )
    word = line.rpartition(" ")[2]
    if ":" not in word or "/" in word:
        return
    if os.environ[_ASKED] == "complete_fish":
        if os.environ.get("_TYPER_COMPLETE_FISH_ACTION") == "is-args":
            raise SystemExit(0)  # "these are arguments": fish then offers no files
    else:
        offered = shells.ZshComplete.complete

        def complete(self: shells.ZshComplete) -> str:
            return offered(self).replace("_files", ":")

        shells.ZshComplete.complete = complete  # type: ignore[method-assign]


def games(incomplete: str) -> list[str]:
    """Names of games."""
    from boardgames_cli.registry import game_ids

    return [id for id in game_ids() if id.startswith(incomplete)]


def agents(ctx: Any, incomplete: str) -> list[tuple[str, str]]:
    """Names of agents of the game that is chosen, or of any game."""
    from boardgames_cli.registry import agents_for

    offered: dict[str, str] = {}
    for spec in _specs(ctx):
        offered |= {name: agent.summary for name, agent in agents_for(spec).items()}
    return [item for item in offered.items() if item[0].startswith(incomplete)]


def saves(incomplete: str) -> list[str]:
    """Names of saves, most recently used first."""
    from boardgames_cli.storage.store import Store

    return list(Store.at().names(incomplete))


def holders(ctx: Any, incomplete: str) -> list[tuple[str, str]]:
    """Possible seat holders: people, levels, agents and the ladder of the game, or of any game."""
    from boardgames_cli.core.presentation.home_page import home_page_of

    offered = {"human": "a person", "ai": "the game's own agent"}
    for spec in _specs(ctx):
        offered |= {level: f"the level {level}" for level in spec.levels}
        with contextlib.suppress(GameError):
            ladder = home_page_of(spec).ladder
            offered |= {one.name: one.style for one in (ladder.opponents if ladder else ())}
    offered = dict(agents(ctx, "")) | offered  # a level may have the name of an agent
    return [item for item in offered.items() if item[0].startswith(incomplete)]


def _specs(ctx: Any) -> Iterator[GameSpec]:
    from boardgames_cli.registry import find_game, game_ids

    known = game_ids()
    chosen = [id for id in (ctx.command.game, ctx.params.get("game")) if id in known]
    for id in chosen or known:
        with contextlib.suppress(GameError, ImportError):
            yield find_game(id)
