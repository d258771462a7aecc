"""What a job takes along to a cluster: our code, and an experiment with every file that it names and no other.

The files keep their places relative to each other, so that the experiment's text means there what it means here.
"""

import os
import shutil
from pathlib import Path

from cluster import library
from cluster.experiment import Source
from sim import user_policy
from sim.rules_file import BadInput, read_toml

PACKAGES = ("sim", "cluster", "queries")
ROOT = Path(__file__).parent.parent


def pack(source: Source, folder: Path) -> str:
    """Fills a folder with our code and an experiment's files; returns the experiment's path within it."""
    for name in PACKAGES:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    if not library.configs().is_relative_to(ROOT / "cluster"):  # a checkout: an installed copy has them inside
        shutil.copytree(library.configs(), folder / "configs")
    files = files_of(source)
    top = os.path.commonpath([path.parent for path in files])
    for path, content in files.items():
        target = folder / "experiment" / path.relative_to(top)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return f"experiment/{_plain(source.path).relative_to(top).as_posix()}"


def files_of(source: Source) -> dict[Path, bytes]:
    """The experiment's file and all that it names, by absolute path: scenarios and their maps, points, policies.

    Raises `BadInput` for an absolute path in the experiment: it would lead elsewhere on another machine.
    """
    folder = source.path.parent
    files = {_plain(source.path): source.text.encode()}
    for number, play in enumerate(source.experiment.play):
        for text in play.scenarios:
            if text.endswith(".toml"):
                _check_relative(text, source, f"play.{number}.scenarios")
                files |= _scenario(text, folder)
        if play.design.file:
            _check_relative(play.design.file, source, f"play.{number}.design.file")
            files[_plain(folder / play.design.file)] = (folder / play.design.file).read_bytes()
        for side, texts in (("red", play.red), ("blue", play.blue)):
            for text in texts:
                files |= _policy(text, source, f"play.{number}.{side}")
    for name, own in source.experiment.policies.items():
        files |= _policy(own.policy, source, f"policies.{name}")
    return files


def _scenario(text: str, folder: Path) -> dict[Path, bytes]:
    ref = library.find_scenario(text, folder)
    board = library.map_file(ref, read_toml(ref.path))
    own = [ref.path] if board.is_relative_to(library.configs()) else [ref.path, board]
    return {_plain(path): path.read_bytes() for path in own}


def _policy(text: str, source: Source, key: str) -> dict[Path, bytes]:
    file, colon, _ = text.rpartition(":")
    if not (colon and file.endswith(".py")):
        return {}
    _check_relative(file, source, key)
    path = source.path.parent / file
    return {_plain(path).parent / name: content.encode() for name, content in user_policy.bundle(path).items()}


def _check_relative(text: str, source: Source, key: str) -> None:
    if Path(text).is_absolute():
        message = f"{text} is an absolute path, which leads elsewhere on another machine: name the file from here"
        raise BadInput(message, file=source.path, key=key)


def _plain(path: Path) -> Path:
    """An absolute path without ``..``; links stay as they are."""
    return Path(os.path.abspath(path))
