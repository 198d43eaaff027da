"""Laws of encoders: arrays match their fields and hold only what their seat may know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from boardgames_cli.core.encoder import AnyEncoder, ArrayField, Arrays
from boardgames_cli.core.game import Seat
from boardgames_cli.testing.findings import Law, demand
from boardgames_cli.testing.scene import Scene, pickled_copy

_GUESSES: Final = 2

Written: TypeAlias = tuple[tuple[str, str, tuple[int, ...], bytes], ...]
"""Arrays in a hashable form: name, type, shape and bytes of each."""

Known: TypeAlias = dict[tuple[Seat | None, Written], Any]
"""The first redacted state for which a viewer got given arrays."""


@dataclass(frozen=True, slots=True)
class EncoderScene:
    """A scene whose observations are encoded."""

    encoder: AnyEncoder
    scene: Scene
    known: Known
    """Shared by all scenes of a check."""

    def seen(self, viewer: Seat | None) -> Any:
        """What a viewer observes."""
        return self.scene.game.observe(self.scene.state, viewer, self.scene.ply)


def written(arrays: Arrays) -> Written:
    """Convert arrays to a hashable form."""
    return tuple(
        (name, str(array.dtype), array.shape, array.tobytes()) for name, array in arrays.items()
    )


def describes_its_arrays(encoder: AnyEncoder) -> None:
    """Every field has a unique name, a shape with named axes, bounds and a meaning."""
    fields = encoder.fields
    names = [array.name for array in fields]
    demand(
        bool(names) and len(set(names)) == len(names),
        f"the fields are called {', '.join(names) or 'nothing'}",
        "Give at least one field, and each a unique name.",
    )
    for array in fields:
        demand(
            array.name.isidentifier() and len(array.axes) == len(array.shape)
            and all(length > 0 for length in array.shape) and bool(array.meaning),
            f"{array!r}",
            "Its name is an identifier; each axis has a length and a name; say what it means.",
        )  # fmt: skip
        demand(
            array.low <= array.high,
            f"{array.name} goes from {array.low} to {array.high}",
            "low is the least number in it and high the greatest.",
        )
    demand(
        encoder.fields == fields, "asked again it has other fields", "Derive them from the game."
    )


def travels_to_other_processes(encoder: AnyEncoder) -> None:
    """An encoder can be pickled, as environments in several processes need."""
    copy = pickled_copy(encoder)
    demand(
        copy == encoder and copy.fields == encoder.fields,
        "a pickled copy is not equal to it",
        "Make it a frozen dataclass of its game; module-level tables need not travel.",
    )


def encodes_what_it_describes(place: EncoderScene) -> None:
    """For seats and spectators, arrays have the names, shapes, types and bounds of the fields."""
    fields = place.encoder.fields
    for viewer in place.scene.viewers:
        arrays = place.encoder.encode(place.seen(viewer))
        demand(
            list(arrays) == [array.name for array in fields],
            f"{_who(viewer)} gets the arrays {', '.join(arrays)}",
            "Return an array for each field, in the order of fields, in every state.",
        )
        for stated in fields:
            _check_array(stated, arrays[stated.name], viewer)


def _check_array(stated: ArrayField, array: Any, viewer: Seat | None) -> None:
    demand(
        (array.shape, str(array.dtype)) == (stated.shape, stated.dtype),
        f"{stated.name} of {_who(viewer)} has shape {list(array.shape)} and type {array.dtype}",
        f"Its field says shape {list(stated.shape)} and type {stated.dtype}.",
    )
    low, high = array.min().item(), array.max().item()
    demand(
        stated.low <= low and high <= stated.high,
        f"{stated.name} of {_who(viewer)} has numbers from {low} to {high}",
        f"Its field says {stated.low} to {stated.high}.",
    )


def masks_the_legal_actions(place: EncoderScene) -> None:
    """The mask is True at the ids of the legal actions, and nowhere while it is not one's turn."""
    game = place.scene.game
    for viewer in place.scene.viewers:
        seen = place.seen(viewer)
        mask = place.encoder.mask(seen)
        ids = {game.action_id(seen.state, action) for action in seen.legal if game.action_count}
        marked = {id for id, is_legal in enumerate(mask.tolist()) if is_legal}
        demand(
            (mask.shape, str(mask.dtype)) == ((game.action_count,), "bool") and marked == ids,
            f"the mask of {_who(viewer)} is True at {sorted(marked)}, but {sorted(ids)} are legal",
            "Leave Encoder.mask as it is, or give bool[action_count] of the same.",
        )


def flattens_in_order(place: EncoderScene) -> None:
    """`flat` is all the arrays, in the order of the fields, as one vector of float32."""
    for viewer in place.scene.viewers:
        seen = place.seen(viewer)
        flat, arrays = place.encoder.flat(seen), place.encoder.encode(seen)
        joined = [
            number
            for array in arrays.values()
            for number in array.ravel().astype("float32").tolist()
        ]
        demand(
            str(flat.dtype) == "float32" and flat.tolist() == joined,
            f"flat of {_who(viewer)} is not what encode gives",
            "Leave Encoder.flat as it is, or join the arrays in the order of fields.",
        )


def encodes_equal_observations_equally(place: EncoderScene) -> None:
    """Equal observations give equal arrays, however often and wherever they are encoded."""
    for viewer in place.scene.viewers:
        seen = place.seen(viewer)
        first = written(place.encoder.encode(seen))
        for again in (seen, pickled_copy(seen)):
            demand(
                written(place.encoder.encode(again)) == first,
                f"{_who(viewer)} saw {seen!r} twice, and got different arrays",
                "Encode nothing but the observation: no chance, no memory, no addresses.",
            )


def gives_its_arrays_away(place: EncoderScene) -> None:
    """Arrays and masks are new on every call, so the caller may write into them."""
    encoder = place.encoder
    for viewer in place.scene.viewers:
        seen = place.seen(viewer)
        for make in (encoder.encode, lambda seen: {"mask": encoder.mask(seen)}):
            arrays = make(seen)
            before = written(arrays)
            for array in arrays.values():
                array[...] = array + 1
            demand(
                written(make(seen)) == before,
                f"after {_who(viewer)} had written into its arrays, the next ones were different",
                "Return new arrays: copies of tables and backgrounds, never these themselves.",
            )


def leaves_the_observation_alone(place: EncoderScene) -> None:
    """Encoding changes nothing in what it encodes."""
    for viewer in place.scene.viewers:
        seen = place.seen(viewer)
        before = repr(seen)
        place.encoder.encode(seen)
        place.encoder.flat(seen)
        place.encoder.mask(seen)
        demand(
            repr(seen) == before,
            f"{_who(viewer)} saw {before}, which became {seen!r}",
            "Read the observation only.",
        )


def contains_no_secret(place: EncoderScene) -> None:
    """Whatever is hidden, the arrays are the same."""
    game = place.scene.game
    for viewer in place.scene.viewers:
        seen = place.seen(viewer)
        arrays = written(place.encoder.encode(seen))
        for guess in range(_GUESSES):
            imagined = game.determinize(seen, place.scene.rng(f"arrays{guess}"))
            other = game.observe(imagined, viewer, place.scene.ply)
            demand(
                written(place.encoder.encode(other)) == arrays,
                f"{_who(viewer)} gets other arrays in the imagined state {imagined!r}",
                "Something hidden reaches the arrays: check redact, and fields of the state that "
                "don't count for equality.",
            )


def distinguishes_states(place: EncoderScene) -> None:
    """Different states, as a viewer sees them, give different arrays if `is_complete` says so."""
    if not place.encoder.is_complete:
        return
    for viewer in place.scene.viewers:
        seen = place.seen(viewer)
        arrays = written(place.encoder.encode(seen))
        known = place.known.setdefault((viewer, arrays), seen.state)
        demand(
            known == seen.state,
            f"{_who(viewer)} gets the same arrays for {known!r} and for {seen.state!r}",
            "Encode what is different, or set is_complete to False and say what is left out.",
        )


def _who(seat: Seat | None) -> str:
    return "a spectator" if seat is None else f"seat {seat}"


ENCODER_LAWS: Final[tuple[Law, ...]] = (describes_its_arrays, travels_to_other_processes)
LAWS: Final[tuple[Law, ...]] = (
    encodes_what_it_describes,
    encodes_equal_observations_equally,
    flattens_in_order,
    masks_the_legal_actions,
    gives_its_arrays_away,
    leaves_the_observation_alone,
    contains_no_secret,
)
EVERYWHERE: Final[tuple[Law, ...]] = (distinguishes_states,)
"""Laws that compare states with each other, and so are checked at every state."""
