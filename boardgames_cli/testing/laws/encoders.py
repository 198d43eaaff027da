"""Laws of encoders: arrays match their fields and hold only what their seat may know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from boardgames_cli.core.encoder import AnyEncoder, Arrays
from boardgames_cli.core.game import Seat
from boardgames_cli.testing.findings import BrokenLaw, demand
from boardgames_cli.testing.scene import Sight, pickled_copy

Written: TypeAlias = tuple[tuple[str, str, tuple[int, ...], bytes], ...]
"""Arrays in a hashable form: name, type, shape and bytes of each."""

Known: TypeAlias = dict[tuple[Seat | None, Written], Any]
"""The first redacted state for which a viewer got given arrays."""


@dataclass(frozen=True)
class Encoding(Sight):
    """What one viewer sees, to be encoded."""

    encoder: AnyEncoder
    known: Known
    """Shared by all scenes of a check."""


def _written(arrays: Arrays) -> Written:
    return tuple(
        (name, str(array.dtype), array.shape, array.tobytes()) for name, array in arrays.items()
    )


def describes_its_arrays(encoder: AnyEncoder) -> None:
    """Every field has a unique name, a shape with named axes, bounds and a meaning.

    A name is an identifier, each axis has a length and a name, low is at most high. An encoder is a
    frozen dataclass of its game, which travels to other processes; module-level tables need not.
    """
    fields = encoder.fields
    names = [array.name for array in fields]
    demand(
        bool(names) and len(set(names)) == len(names),
        f"the fields are called {', '.join(names) or 'nothing'}",
    )
    for array in fields:
        demand(
            array.name.isidentifier()
            and len(array.axes) == len(array.shape)
            and all(length > 0 for length in array.shape)
            and bool(array.meaning)
            and array.low <= array.high,
            f"{array!r}",
        )
    copy = pickled_copy(encoder)
    demand(copy == encoder and copy.fields == fields, "a pickled copy is not equal to it")


def encodes_what_is_seen_alone(place: Encoding) -> None:
    """Equal observations give equal arrays, wherever they are encoded and whatever is hidden.

    Encode nothing but the observation, and change nothing in it: no chance, no memory, no
    addresses. Where something hidden reaches the arrays, look at redact, and at fields of the state
    that don't count for equality.
    """
    before, arrays = repr(place.seen), _written(place.encoder.encode(place.seen))
    for again in (place.seen, pickled_copy(place.seen), *map(place.look, place.look_alikes)):
        if _written(place.encoder.encode(again)) != arrays:
            raise BrokenLaw(f"{place.who} saw {place.seen!r}, and got other arrays for {again!r}")
    if repr(place.seen) != before:
        raise BrokenLaw(f"{place.who} saw {before}, which became {place.seen!r}")


def encodes_what_it_describes(place: Encoding) -> None:
    """For seats and spectators, arrays are what the fields say; flat joins them as float32.

    Return an array for each field, in the order of fields, in every state, of its shape and type
    and within its bounds. Leave Encoder.flat as it is, or join the arrays in that order.
    """
    fields, arrays = place.encoder.fields, place.encoder.encode(place.seen)
    demand(
        list(arrays) == [field.name for field in fields],
        f"{place.who} gets the arrays {', '.join(arrays)}",
    )
    for field in fields:
        array = arrays[field.name]
        low, high = array.min().item(), array.max().item()
        demand(
            (array.shape, str(array.dtype)) == (field.shape, field.dtype)
            and field.low <= low
            and high <= field.high,
            f"{field} of {place.who} has shape {list(array.shape)}, type {array.dtype} "
            f"and numbers from {low} to {high}",
        )
    flat, joined = place.encoder.flat(place.seen), [array.ravel() for array in arrays.values()]
    demand(
        str(flat.dtype) == "float32"
        and flat.tolist() == [float(one) for part in joined for one in part.astype("float32")],
        f"flat of {place.who} is not what encode gives",
    )


def masks_the_legal_actions(place: Encoding) -> None:
    """The mask is True at the ids of the legal actions, and nowhere while it is not one's turn.

    Leave Encoder.mask as it is, or give bool[action_count] of the same.
    """
    game, seen = place.game, place.seen
    mask = place.encoder.mask(seen)
    ids = {game.action_id(seen.state, action) for action in seen.legal if game.action_count}
    marked = {id for id, is_legal in enumerate(mask.tolist()) if is_legal}
    demand(
        (mask.shape, str(mask.dtype)) == ((game.action_count,), "bool") and marked == ids,
        f"the mask of {place.who} is True at {sorted(marked)}, but {sorted(ids)} are legal",
    )


def gives_its_arrays_away(place: Encoding) -> None:
    """Arrays and masks are new on every call, so the caller may write into them.

    Return copies of tables and backgrounds, never these themselves.
    """
    encoder = place.encoder
    for make in (encoder.encode, lambda seen: {"mask": encoder.mask(seen)}):
        arrays = make(place.seen)
        before = _written(arrays)
        for array in arrays.values():
            array[...] = array + 1
        demand(
            _written(make(place.seen)) == before,
            f"after {place.who} had written into its arrays, the next ones were different",
        )


def distinguishes_states(place: Encoding) -> None:
    """Different states, as a viewer sees them, give different arrays if `is_complete` says so.

    Encode what is different, or set is_complete to False and say what is left out.
    """
    if not place.encoder.is_complete:
        return
    state = place.seen.state
    arrays = _written(place.encoder.encode(place.seen))
    known = place.known.setdefault((place.viewer, arrays), state)
    if known != state:
        raise BrokenLaw(f"{place.who} gets the same arrays for {known!r} and for {state!r}")
