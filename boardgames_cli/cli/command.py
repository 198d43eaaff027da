"""Building commands: options from dataclasses, help in sections, lazy loading."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Final, NamedTuple, get_args, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

from boardgames_cli.cli import completion
from boardgames_cli.core.errors import GameError, UnknownNameError
from boardgames_cli.core.options import is_finite
from boardgames_cli.terminal.startup import end_in_order, resume_collection
from boardgames_cli.terminal.streams import printable

PROGRAM: Final = "boardgames"
REQUIRED: Final = dataclasses.MISSING
"""The default of an option that must be given."""

_HEADING: Final = re.compile(r"^(\S[^\n]*?:)(?=$| )", re.MULTILINE)
_BOLD: Final = "\x1b[1m\\1\x1b[0m"
_FIRST_COLUMN: Final = 30
_COMMON_FLAGS: Final = ("--plain", "--no-color", "-v", "--verbose", "--debug")
COMMON: Final = "Options of every command"
MORE: Final = "More options"
"""Sections whose titles begin like these are left to ``--help-all``."""
_INFO: Final = "typer"


def option(default: Any, help: str, *flags: str, **settings: Any) -> Any:
    """Declare a field of a dataclass as an option.

    Args:
        default: Its default, or `REQUIRED`.
        help: What it does.
        *flags: Its names; by default the name of the field.
        **settings: As for ``typer.Option``. ``rich_help_panel`` defaults to the ``section`` of the
            dataclass; numbers and paths have a ``metavar``.
    """
    info = typer.Option(*flags, help=help, **settings)
    return dataclasses.field(default=default, metadata={_INFO: info})


def argument(help: str, default: Any = REQUIRED, **settings: Any) -> Any:
    """Declare a field of a dataclass as an argument; its settings are those of typer."""
    info = typer.Argument(help=help, **settings)
    return dataclasses.field(default=default, metadata={_INFO: info})


@dataclasses.dataclass(frozen=True, slots=True)
class CommonOptions:
    """Options of every command, which may stand before or after its name.

    `main` reads some of them before parsing, since help and error messages must obey them, too.
    """

    section: ClassVar = COMMON

    plain: bool = option(False, "Plain text, line by line, for screen readers.")
    no_color: bool = option(False, "Plain text without one escape byte.")
    verbose: bool = option(
        False, "Tell details: the front end and why, agents, seeds.", "-v", "--verbose"
    )
    debug: bool = option(False, "Show the traceback of an error.")
    help_all: bool = option(
        False,
        "Show all options of a command, and exit.",
        is_eager=True,
        callback=lambda ctx, value: _show_all(ctx) if value else value,
    )

    @property
    def is_plain(self) -> bool:
        """Whether the output must be lines, without colours or moving parts."""
        return self.plain or self.no_color


@dataclasses.dataclass(frozen=True, slots=True)
class GameArgument:
    """The game that a command is about."""

    game: str = argument("The game's name.", autocompletion=completion.games)


@dataclasses.dataclass(frozen=True, slots=True)
class GameFilter:
    """The game to which a command is limited."""

    game: str = argument("One game; by default all.", default="", autocompletion=completion.games)


def examples(*commands: str) -> str:
    """The examples at the end of a help text; empty if there are none."""
    lines = [f"  {PROGRAM} {command}" for command in commands]
    return "\n".join(["Examples:", *lines]) if lines else ""


def _rank(title: str) -> int:
    ranks = {"Arguments": 0, COMMON: 4, "Options": 2, MORE: 3, "": 1}
    return next(rank for start, rank in ranks.items() if title.startswith(start))


def _show_all(ctx: typer.Context) -> None:
    ctx.command.left_out = ()  # type: ignore[attr-defined]  # of all our commands
    typer.echo(ctx.get_help(), color=ctx.color)
    raise typer.Exit


class _HelpInSections:
    left_out: tuple[str, ...] = (COMMON, MORE)
    """How the titles begin of the sections that the help leaves out."""

    def format_options(self: Any, ctx: Any, formatter: Any) -> None:
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                is_argument = parameter.param_type_name == "argument"
                panel = getattr(parameter, "rich_help_panel", None)
                title = panel or ("Arguments" if is_argument else "Options")
                title = COMMON if parameter.name == "help" else title
                sections.setdefault(title, []).append(record)
        for title in sorted(sections, key=_rank):
            if not title.startswith(self.left_out):
                with formatter.section(title):
                    formatter.write_dl(sections[title], col_max=_FIRST_COLUMN)

    def format_epilog(self: Any, ctx: Any, formatter: Any) -> None:
        lines = [self.epilog] if self.epilog else []
        if self.left_out:
            lines.append(f"All options: --help-all. {COMMON}: {PROGRAM} --help")
        formatter.write("".join(f"\n{line}\n" for line in lines))

    def get_help(self: Any, ctx: Any) -> str:
        return _HEADING.sub(_BOLD, printable(super().get_help(ctx)))  # type: ignore[misc]  # mixed in


class Command(_HelpInSections, TyperCommand):
    """A command without subcommands."""

    game = ""
    """The game whose options it has; empty if none is named."""


class Subcommand(NamedTuple):
    """A command that is made when it is needed."""

    help: str
    """What it does; the first line is the summary."""
    load: Callable[[str, Sequence[str]], Any]
    """Makes it, from its name and the words that follow it."""


def later(place: str, help: str) -> Subcommand:
    """A subcommand of another module of this package: its ``make``, or what a colon names."""

    def load(name: str, words: Sequence[str]) -> Any:
        module, _, attribute = place.partition(":")
        found = getattr(import_module(f"boardgames_cli.cli.{module}"), attribute or "make")
        return found.load(name, words)

    return Subcommand(help, load)


def command(action: Callable[..., int], *tries: str, help: str = "") -> Subcommand:
    """The subcommand of an action; its help is the action's docstring if none is given."""
    help = help or inspect.getdoc(action) or ""
    return Subcommand(
        help, lambda name, _: make_command(name, action, help=help, epilog=examples(*tries))
    )


def group(
    table: Mapping[str, Subcommand],
    *tries: str,
    help: str,
    default: str,
    takes_words: bool = False,
) -> Subcommand:
    """A subcommand with subcommands of its own; the arguments are the attributes of `Group`."""

    def load(name: str, _: Sequence[str]) -> Any:
        bare = make_command(name, lambda: 0, help=help)
        made = Group(
            name=name,
            help=help,
            epilog=examples(*tries),
            params=bare.params,
            callback=bare.callback,
            subcommand_metavar="COMMAND ...",
            rich_markup_mode=None,
        )
        made.table, made.default, made.takes_words = table, default, takes_words
        return made

    return Subcommand(help, load)


class Group(_HelpInSections, TyperGroup):
    """A command with subcommands, which are loaded on demand."""

    table: Mapping[str, Subcommand] = MappingProxyType({})
    """The subcommands."""
    sections: Mapping[str, Iterable[str]] = MappingProxyType({})
    """Their names by title, in the help; without it all are together."""
    default = ""
    """The default subcommand; empty if there is none."""
    takes_words = False
    """Whether a word that is no subcommand is meant for the default one."""

    _words: Sequence[str] = ()

    def unknown(self, name: str) -> Exception:
        return UnknownNameError("command", name, self.table)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the subcommand, or insert the default."""
        is_run = not ctx.resilient_parsing and args[:1] not in (["--help"], ["--help-all"])
        word = next((word for word in args if word not in _COMMON_FLAGS), "-")
        is_unnamed = word not in self.table if self.takes_words else word.startswith("-")
        if self.default and is_run and is_unnamed:
            args.insert(0, self.default)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: Any) -> list[str]:
        return list(self.table)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command; its options may depend on the words that follow."""
        self._words = args[1:]
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in self.table:
            with contextlib.suppress(*([GameError] if ctx.resilient_parsing else [])):
                return self.table[cmd_name].load(cmd_name, self._words)
        if ctx.resilient_parsing or cmd_name.startswith("-"):
            return None  # completion, or an unknown option: typer has its own message
        raise self.unknown(cmd_name)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        for title, names in (self.sections or {"Commands": self.table}).items():
            with formatter.section(title):
                formatter.write_dl([(one, self.table[one].help.split("\n")[0]) for one in names])
        super().format_options(ctx, formatter)


def make_command(
    name: str,
    action: Callable[..., int],
    *,
    help: str,
    epilog: str = "",
    before: Sequence[inspect.Parameter] = (),
    after: Sequence[inspect.Parameter] = (),
) -> Any:
    """Make a command whose options are declared by dataclasses.

    Args:
        name: Its name.
        action: Called with one instance of each dataclass among its parameters, whose fields are
            options and arguments, and with the values of other parameters by name. Every action
            returns the exit code, and raises a `GameError` for what the user got wrong. Every
            command has the `CommonOptions`, whether or not its action takes them.
        help: What it does; the first line is the summary.
        epilog: Examples, written at the end of the help.
        before: Parameters made at run time, which the help lists first.
        after: Those that follow the dataclasses.
    """
    kinds = kinds_of(action)
    shown = kinds if CommonOptions in kinds else [*kinds, CommonOptions]

    def callback(ctx: typer.Context, **values: Any) -> int:
        note_common(ctx, values)
        # All imports and parsing are done; the work starts here.
        end_in_order()
        resume_collection()
        groups = [
            kind(**{field.name: values.pop(field.name) for field in dataclasses.fields(kind)})
            for kind in shown
        ]
        return action(*groups[: len(kinds)], **values)

    set_parameters(callback, [*before, *(p for kind in shown for p in fields(kind)), *after])
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(name, cls=Command, help=help, epilog=epilog)(callback)
    return typer.main.get_command(app)


def note_common(ctx: typer.Context, values: dict[str, Any]) -> None:
    """Count `CommonOptions` that stood before the command's name, and keep them for the next."""
    names = [field.name for field in dataclasses.fields(CommonOptions)]
    ctx.obj = {name for name in names if values[name]} | (ctx.obj or set())
    values |= dict.fromkeys(ctx.obj, True)


def kinds_of(action: Callable[..., int]) -> list[type]:
    """The dataclasses among the parameters of an action."""
    parameters = inspect.signature(action, eval_str=True).parameters.values()
    kinds = [one.annotation for one in parameters]
    return [kind for kind in kinds if isinstance(kind, type) and dataclasses.is_dataclass(kind)]


def set_parameters(callback: Callable[..., Any], parameters: Sequence[inspect.Parameter]) -> None:
    """Set the signature that typer sees for a function of a context and ``**values``."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [inspect.Parameter("ctx", kind, annotation=typer.Context), *parameters]
    callback.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    callback.__annotations__ = {p.name: p.annotation for p in parameters}


def fields(kind: type) -> list[inspect.Parameter]:
    """The fields of a dataclass as parameters."""
    hints, made = get_type_hints(kind), []
    for one in dataclasses.fields(kind):
        info = _declared(one, hints[one.name], getattr(kind, "section", None))
        made.append(make_parameter(one.name, hints[one.name], info, one.default))
    return made


def make_parameter(name: str, hint: Any, info: Any, default: Any = None) -> inspect.Parameter:
    """A parameter for typer: an option or an argument, as its ``info`` says."""
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=inspect.Parameter.empty if default is REQUIRED else default,
        annotation=Annotated[hint, info],
    )


def _declared(field: dataclasses.Field[Any], hint: Any, section: str | None) -> Any:
    info = copy.copy(field.metadata[_INFO])
    types = {hint, *get_args(hint)}
    if types & {int, float}:
        # A range does not refuse NaN, which is neither below the minimum nor above the maximum.
        info.callback = _finite
    if isinstance(info, typer.models.OptionInfo):
        if info.default is ...:
            info.default = f"--{field.name.replace('_', '-')}"
        words = {int: "NUMBER", Path: "FILE"}
        info.metavar = info.metavar or next((words[one] for one in types & words.keys()), None)
        info.rich_help_panel = info.rich_help_panel or section
    elif not info.metavar:
        name = field.name.upper()
        info.metavar = name if field.default is REQUIRED else f"[{name}]"
    return info


def _finite(value: Any) -> Any:
    if value is not None and not is_finite(value):
        raise typer.BadParameter("it is not a finite number, or far too long.")
    return value
