"""Colours as eyes see them: contrast, distance, and how they look to colour-blind people."""

from __future__ import annotations

from typing import Final, TypeAlias

Rgb: TypeAlias = tuple[float, float, float]
Matrix: TypeAlias = tuple[Rgb, Rgb, Rgb]

SIGHT: Final[dict[str, Matrix]] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""What each kind of sight makes of linear RGB: Machado, Oliveira and Fernandes, "A
Physiologically-based Model for Simulation of Color Vision Deficiency" (2009), severity 1."""

_XYZ: Final[Matrix] = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
_WHITE: Final = (0.95047, 1.0, 1.08883)


def linear(colour: str) -> Rgb:
    """The linear RGB of a colour such as ``#e8c15a``, each from 0 to 1."""
    parts = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return red, green, blue


def _times(matrix: Matrix, rgb: Rgb) -> Rgb:
    first, second, third = (sum(a * b for a, b in zip(row, rgb, strict=True)) for row in matrix)
    return first, second, third


def luminance(colour: str) -> float:
    """How bright a colour is, from 0 to 1, as WCAG defines it."""
    return sum(a * b for a, b in zip((0.2126, 0.7152, 0.0722), linear(colour), strict=True))


def contrast(first: str, second: str) -> float:
    """The contrast of two colours by WCAG, from 1 to 21."""
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


def lab(colour: str, sight: str = "normal") -> Rgb:
    """CIE L*a*b* of a colour (D65), as somebody with that kind of sight sees it."""
    seen = _times(SIGHT[sight], linear(colour))
    red, green, blue = (min(1.0, max(0.0, part)) for part in seen)
    shares = (
        part / white for part, white in zip(_times(_XYZ, (red, green, blue)), _WHITE, strict=True)
    )
    x, y, z = (
        s ** (1 / 3) if s > (6 / 29) ** 3 else s * (29 / 6) ** 2 / 3 + 4 / 29 for s in shares
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(first: str, second: str, sight: str = "normal") -> float:
    """The CIE 1976 colour difference of two colours for that kind of sight; 2.3 is just seen."""
    pairs = zip(lab(first, sight), lab(second, sight), strict=True)
    return float(sum((a - b) ** 2 for a, b in pairs) ** 0.5)
