"""What the small maps are made of."""

from collections.abc import Mapping
from typing import Any, NamedTuple
from xml.etree import ElementTree

from queries.report.model import Holding, Number

Document = Mapping[str, Any]

WIDTH = 320.0


class Documents(NamedTuple):
    """What a scenario's map is drawn from, as it was played; empty where the archive does not have it."""

    scenario: Document
    board: Document
    rules: Document


def tint(share: float | None) -> str:
    """The colour of a share of blue in CSS: from red over neutral to blue."""
    if share is None:
        return "var(--nothing)"
    side = "blue" if share >= 0.5 else "red"
    return f"color-mix(in srgb, var(--{side}) {abs(share - 0.5) * 160:.0f}%, var(--even))"


def said(number: Number) -> str:
    """A share in words: with its interval and n."""
    if number.value is None:
        return f"–, n {number.n:,}"
    interval = "" if number.low is None or number.high is None else f" ({number.low:.0%} to {number.high:.0%})"
    return f"blue {number.value:.0%}{interval}, n {number.n:,}"


def root(height: float, width: float = WIDTH) -> ElementTree.Element:
    """An empty map."""
    box = f"0 0 {width:.0f} {height:.0f}"
    return ElementTree.Element(
        "svg", {"class": "map", "role": "img", "viewBox": box, "style": f"max-width:{width:.0f}px"}
    )


def add(parent: ElementTree.Element, tag: str, style: str, **values: float | str) -> ElementTree.Element:
    """An element of a class within another."""
    shown = {key: value if isinstance(value, str) else f"{value:.1f}" for key, value in values.items()}
    return ElementTree.SubElement(parent, tag, {"class": style, **shown})


def place(
    parent: ElementTree.Element, tag: str, name: str, holding: Holding | None, **values: float
) -> ElementTree.Element:
    """A place in its colour, with what it says when pointed at."""
    element = add(parent, tag, "place", **values)
    element.set("style", f"fill:{tint(holding.blue.value if holding else None)}")
    ElementTree.SubElement(element, "title").text = f"{name}: {said(holding.blue) if holding else '–'}"
    return element


def written(root: ElementTree.Element) -> str:
    """The map as text."""
    return ElementTree.tostring(root, encoding="unicode")
