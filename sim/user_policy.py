"""Policies that a user brings: a Python file, named as ``path/to/file.py:policy``.

The file and every module beside it that it imports form one bundle of sources with one digest. A bundle travels as
text, and a worker makes its modules anew under a name with that digest (`sim.policy_modules`). So two versions of one
file never meet.
"""

import ast
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from sim import policy_trial
from sim.game import Policy
from sim.policy_checks import check_policy
from sim.policy_modules import check_paths, digest_of, module_of
from sim.rules_file import BadInput, one_of

MOST_BYTES = 1_000_000
"""What a file of a policy may have: it travels to every worker, and stands in the archive."""


class UserPolicy(NamedTuple):
    """A user's policy, the sources that it consists of (path within the bundle: text) and their digest."""

    policy: Policy
    sources: dict[str, str]
    digest: str


def load(path: Path, name: str) -> UserPolicy:
    """The policy of that name in a file. Raises `BadInput` if file or policy are missing or wrong."""
    sources = bundle(path)
    return UserPolicy(from_sources(sources, path.name, name), sources, digest_of(sources))


def bundle(path: Path) -> dict[str, str]:
    """A file and all modules beside it that it imports, directly or not: path below its folder, text."""
    main = path.absolute()  # a link stays one: what is beside it counts
    root = main.parent
    sources: dict[str, str] = {}
    pending = [main]
    while pending:
        file = pending.pop()
        key = file.relative_to(root).as_posix()
        if key in sources:
            continue
        sources[key] = _text_of(file, path if file == main else file)
        try:
            tree = ast.parse(sources[key], str(file))
        except (SyntaxError, ValueError) as error:
            raise BadInput(f"is not valid Python: {error}", file=file) from None
        except (RecursionError, MemoryError):
            raise BadInput("is not valid Python: it is nested too deeply", file=file) from None
        for node in ast.walk(tree):
            for module in _imported(node, file):
                pending.extend(_files_of(root, module))
    return dict(sorted(sources.items()))


def _text_of(file: Path, named: Path) -> str:
    """The text of a file; of one that is none, as a pipe, not even a byte is waited for."""
    try:
        with open(os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as opened:
            if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
                raise BadInput("is no file of Python", file=named)
            content = opened.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise BadInput("there is no such policy file", file=named) from None
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", file=named) from None
    except ValueError:
        raise BadInput("there is no such policy file: a path has no NUL", file=repr(str(named))) from None
    if len(content) > MOST_BYTES:
        raise BadInput(f"is larger than {MOST_BYTES:,} bytes, which a policy's file may have", file=named)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"is not valid Python: {error}", file=named) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _imported(node: ast.AST, file: Path) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        if node.level:
            raise BadInput(f"line {node.lineno}: import the module by its name, not relative to this one", file=file)
        return [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
    return []


def _files_of(root: Path, module: str) -> list[Path]:
    """Files below the root that importing a module runs; none for a module from elsewhere."""
    parts = module.split(".")
    tried = [root.joinpath(*parts[: i + 1]) for i in range(len(parts))]
    # Not `Path.is_file`: that raises an error for a name that is too long to be one of a file.
    return [
        file
        for path in tried
        for file in (path.with_name(path.name + ".py"), path / "__init__.py")
        if os.path.isfile(file)
    ]


def from_sources(sources: Mapping[str, str], main: str, name: str) -> Policy:
    """The policy of that name in the main file of a bundle.

    Raises `BadInput` if it is not there or cannot be imported: by another process before it is by this one.
    """
    check_paths(sources, main)
    policy_trial.hold(sources, main)
    defined = vars(module_of(sources, main))
    found = defined.get(name)
    if not isinstance(found, Policy):
        known = [key for key, value in defined.items() if isinstance(value, Policy)]
        raise BadInput(f"has no policy {name!r}: use {one_of(known, name)}", file=main)
    check_policy(found, main)
    return found
