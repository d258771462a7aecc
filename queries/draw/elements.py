"""What every drawn map is made of: an SVG document and its elements."""

from xml.etree import ElementTree


def document(title: str, style: str, width: float, height: float) -> ElementTree.Element:
    """An empty sheet of paper of that size, in the drawing's units; ``style`` are its classes in CSS."""
    root = ElementTree.Element(
        "svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width:.0f} {height:.0f}", role="img"
    )
    ElementTree.SubElement(root, "title").text = title
    ElementTree.SubElement(root, "style").text = style
    add(root, "rect", "paper", x=0, y=0, width=width, height=height)
    return root


def add(parent: ElementTree.Element, tag: str, style: str, **values: float | str) -> ElementTree.Element:
    """An element of a class within another; ``stroke_width`` stands for ``stroke-width``."""
    shown = {
        key.replace("_", "-"): value if isinstance(value, str) else f"{value:.1f}" for key, value in values.items()
    }
    return ElementTree.SubElement(parent, tag, {"class": style, **shown})


def write(parent: ElementTree.Element, words: str, x: float, y: float, style: str, anchor: str = "start") -> None:
    """Words that begin, have their middle or end at a place, by ``anchor``: start, middle or end."""
    add(parent, "text", style, x=x, y=y, text_anchor=anchor).text = words


def finished(root: ElementTree.Element) -> str:
    """The document as text."""
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode") + "\n"
