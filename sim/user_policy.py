"""Policies that a user brings: a Python file, named as ``path/to/file.py:policy``.

The file and every module beside it that it imports form one bundle of sources with one digest. A bundle travels as
text: a worker makes its modules anew under the name ``duosuan_policy_<digest>``, from a folder that belongs to that
digest. So two versions of one file never meet, and Numba keeps the compiled code of each apart.
"""

import ast
import hashlib
import importlib.abc
import importlib.util
import sys
import traceback
import types
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from sim.compiled import cache_folder
from sim.game import Policy
from sim.rules_file import BadInput, one_of

PACKAGE = "duosuan_policy_"


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
    root = path.resolve().parent
    sources: dict[str, str] = {}
    pending = [path.resolve()]
    while pending:
        file = pending.pop()
        key = file.relative_to(root).as_posix()
        if key in sources:
            continue
        try:
            sources[key] = file.read_text(encoding="utf-8")
            tree = ast.parse(sources[key], str(file))
        except FileNotFoundError:
            raise BadInput("there is no such policy file", file=path) from None
        except OSError as error:
            raise BadInput(f"cannot be read: {error.strerror}", file=file) from None
        except (SyntaxError, UnicodeDecodeError) as error:
            raise BadInput(f"is not valid Python: {error}", file=file) from None
        for node in ast.walk(tree):
            for module in _imported(node, file):
                pending.extend(_files_of(root, module))
    return dict(sorted(sources.items()))


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
    return [
        file
        for path in tried
        for file in (path.with_name(path.name + ".py"), path / "__init__.py")
        if file.is_file() and file.is_relative_to(root)
    ]


def digest_of(sources: Mapping[str, str]) -> str:
    """SHA-256 over paths and texts of a bundle."""
    digest = hashlib.sha256()
    for key, text in sorted(sources.items()):
        digest.update(f"{key}\0{len(text)}\0{text}".encode())
    return digest.hexdigest()


def from_sources(sources: Mapping[str, str], main: str, name: str) -> Policy:
    """The policy of that name in the main file of a bundle. Raises `BadInput` if it is not there or cannot be run."""
    for key in sources:
        if key != "/".join(part for part in PurePosixPath(key).parts if part not in ("/", "..")):
            raise BadInput(f"{key!r} is no path within a bundle of sources", file=main)
    package = PACKAGE + digest_of(sources)[:16]
    if package not in sys.modules:
        _register(package, sources)
    try:
        module = importlib.import_module(f"{package}.{_module_name(main)}")
    except (BadInput, KeyboardInterrupt):
        raise
    except BaseException as error:
        # Whatever a user's module raises, as SystemExit, is the user's to mend: say it in one line, with the place.
        raise BadInput(f"cannot be imported: {in_one_line(error)}", file=main) from error
    found = getattr(module, name, None)
    if not isinstance(found, Policy):
        known = [key for key, value in vars(module).items() if isinstance(value, Policy)]
        raise BadInput(f"has no policy {name!r}: use {one_of(known, name)}", file=main)
    return found


def _module_name(key: str) -> str:
    return key.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def in_one_line(error: BaseException) -> str:
    """An error in one line, with the last place in a user's own file if it passed one."""
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    # By the file's name: an error out of compiled code comes with a place, but with no frame of the module.
    places = [frame for frame in traceback.extract_tb(error.__traceback__) if PACKAGE in frame.filename]
    where = f" ({Path(places[-1].filename).name}, line {places[-1].lineno})" if places else ""
    return " ".join(f"{what}{where}".split())


def _register(package: str, sources: Mapping[str, str]) -> None:
    """Makes the package of a bundle importable; its files are written once, for Numba and for tracebacks."""
    folder = cache_folder() / "policies" / package
    for key, text in sources.items():
        file = folder / key
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            part = file.with_name(f"{file.name}.{hashlib.sha256(text.encode()).hexdigest()[:8]}")
            part.write_text(text, encoding="utf-8")
            part.replace(file)
    root = types.ModuleType(package)
    root.__path__ = [str(folder)]
    sys.modules[package] = root
    if not any(isinstance(finder, _BundleFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _BundleFinder())


class _BundleFinder:
    """Finds the modules of bundles, so that they can import each other under the names that their files use."""

    def find_spec(self, name, path=None, target=None):
        package, _, rest = name.partition(".")
        if not package.startswith(PACKAGE) or not rest:
            return None
        base = Path(sys.modules[package].__path__[0]).joinpath(*rest.split("."))
        is_package = (base / "__init__.py").is_file()
        file = base / "__init__.py" if is_package else base.with_name(base.name + ".py")
        if not file.is_file():
            return None
        places = [str(base)] if is_package else None
        return importlib.util.spec_from_file_location(
            name, file, loader=_BundleLoader(package, file), submodule_search_locations=places
        )


class _BundleLoader(importlib.abc.Loader):
    def __init__(self, package: str, file: Path) -> None:
        self.package = package
        self.file = file

    def create_module(self, spec):
        return None

    def exec_module(self, module) -> None:
        tree = ast.parse(self.file.read_text(encoding="utf-8"), str(self.file))
        root = Path(sys.modules[self.package].__path__[0])
        tree = ast.fix_missing_locations(_LocalImports(self.package, root).visit(tree))
        exec(compile(tree, str(self.file), "exec"), module.__dict__)


class _LocalImports(ast.NodeTransformer):
    """Turns ``import helper`` into an import from the bundle where the bundle has a helper."""

    def __init__(self, package: str, root: Path) -> None:
        self.package = package
        self.root = root

    def _is_local(self, module: str) -> bool:
        return bool(_files_of(self.root, module.split(".")[0]))

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom:
        if node.module and self._is_local(node.module):
            node.module = f"{self.package}.{node.module}"
        return node

    def visit_Import(self, node: ast.Import) -> list[ast.stmt]:
        statements: list[ast.stmt] = []
        for alias in node.names:
            if not self._is_local(alias.name):
                statements.append(ast.Import([alias]))
                continue
            top = alias.name.split(".")[0]
            # `import a.b` binds a, `import a.b as c` binds a.b.
            if alias.asname:
                statements.append(ast.Import([ast.alias(f"{self.package}.{alias.name}", alias.asname)]))
            else:
                statements.append(ast.Import([ast.alias(f"{self.package}.{alias.name}", "_")]))
                statements.append(ast.Import([ast.alias(f"{self.package}.{top}", top)]))
        return [ast.copy_location(statement, node) for statement in statements]
