"""The rules of a game by name, whichever chapter they stand in, and what it records."""

import importlib
import pkgutil
from collections.abc import Callable
from typing import Any


def rules_of(game: str) -> dict[str, Callable[..., Any]]:
    """All functions of a game's ``rules`` and ``record``, by name."""
    rules = importlib.import_module(f"sim.{game}.rules")
    names = [f"{rules.__name__}.{chapter.name}" for chapter in pkgutil.iter_modules(rules.__path__)]
    modules = [importlib.import_module(name) for name in (*names, f"sim.{game}.record")]
    return {name: rule for module in modules for name, rule in vars(module).items() if callable(rule)}
