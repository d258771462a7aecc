"""The modules of a user's policy, made from the texts that the digest was taken of.

No file is read or written: what stands in memory is what runs, whatever became of the file that it came from, and
Numba keeps the compiled code of each bundle apart by the digest in its modules' names.
"""

import ast
import hashlib
import importlib
import importlib.abc
import importlib.machinery
import linecache
import re
import sys
import traceback
import types
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from sim.rules_file import BadInput

PACKAGE = "duosuan_policy_"
DIGESTED = re.compile(rf"{PACKAGE}[0-9a-f]{{64}}[./]")
LONGEST_PATH = 100
"""Bytes of a path within a bundle: names of files in the cache of compiled code are made of it."""

_bundles: dict[str, dict[str, str]] = {}  # sources, by the name of their package


def digest_of(sources: Mapping[str, str]) -> str:
    """SHA-256 over paths and texts of a bundle."""
    digest = hashlib.sha256()
    for key, text in sorted(sources.items()):
        digest.update(f"{key}\0{len(text)}\0{text}".encode(errors="surrogatepass"))
    return digest.hexdigest()


def check_paths(sources: Mapping[str, str], main: str) -> None:
    """Raises `BadInput` for a path that is none within a bundle, or too long, and for a main file that is not there."""
    for key in sources:
        if not key.isprintable() or key != "/".join(it for it in PurePosixPath(key).parts if it not in ("/", "..")):
            raise BadInput(f"{key!r} is no path within a bundle of sources", file=main)
        if len(key.encode()) > LONGEST_PATH:
            raise BadInput(f"a policy's file has a name of at most {LONGEST_PATH} bytes", file=key)
    if main not in sources:
        raise BadInput("is not among the sources of its bundle", file=main)
    if "." in main.removesuffix(".py"):
        raise BadInput("a policy's file has no dot in its name but that of .py", file=main)


def module_of(sources: Mapping[str, str], main: str) -> types.ModuleType:
    """The main module of a bundle, imported if it is not yet. Raises `BadInput` for whatever its import raises."""
    package = PACKAGE + digest_of(sources)
    if package not in _bundles:
        _bundles[package] = dict(sources)
        root = types.ModuleType(package)
        root.__path__ = []
        sys.modules[package] = root
        if _importer not in sys.meta_path:
            sys.meta_path.insert(0, _importer)
    try:
        return importlib.import_module(f"{package}.{_module_name(main)}")
    except (BadInput, KeyboardInterrupt):
        raise
    except BaseException as error:
        # Whatever a user's module raises, as SystemExit, is the user's to mend: say it in one line, with the place.
        raise BadInput(f"cannot be imported: {in_one_line(error)}", file=main) from error


def in_one_line(error: BaseException) -> str:
    """An error in one line, with the last place in a user's own file if it passed one."""
    what = ": ".join(filter(None, (type(error).__name__, _words_of(error))))
    # By the file's name: an error out of compiled code comes with a place, but with no frame of the module.
    places = [frame for frame in traceback.extract_tb(error.__traceback__) if PACKAGE in frame.filename]
    where = f" ({Path(places[-1].filename).name}, line {places[-1].lineno})" if places else ""
    return DIGESTED.sub("", " ".join(f"{what}{where}".split()))


def _words_of(error: BaseException) -> str:
    try:
        return str(error)
    except BaseException:  # a class of the user's own, that cannot even say what is wrong
        return ""


def _module_name(key: str) -> str:
    return key.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _key_of(sources: Mapping[str, str], module: str) -> str | None:
    """The path of a module within a bundle; of a package and a file of one name the package, as Python has it."""
    path = module.replace(".", "/")
    return next((key for key in (f"{path}/__init__.py", f"{path}.py") if key in sources), None)


class _Importer(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds and runs the modules of bundles, which import each other by the names that their files use."""

    def find_spec(self, fullname, path=None, target=None):
        package, _, rest = fullname.partition(".")
        key = _key_of(_bundles.get(package, {}), rest)
        if key is None:
            return None
        origin = f"{package}/{key}"
        is_package = key.endswith("/__init__.py")
        spec = importlib.machinery.ModuleSpec(fullname, self, origin=origin, is_package=is_package)
        spec.has_location = True  # `__file__`, by which tracebacks name it
        return spec

    def create_module(self, spec):
        return None

    def exec_module(self, module) -> None:
        file = str(module.__file__)
        package, _, key = file.partition("/")
        sources = _bundles[package]
        text = sources[key]
        # For tracebacks and Numba's messages: an entry without a time is not looked for on disk.
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        tree = ast.fix_missing_locations(_LocalImports(package, sources).visit(ast.parse(text, file)))
        exec(compile(tree, file, "exec"), module.__dict__)


_importer = _Importer()


class _LocalImports(ast.NodeTransformer):
    """Turns ``import helper`` into an import from the bundle where the bundle has a helper."""

    def __init__(self, package: str, sources: Mapping[str, str]) -> None:
        self.package = package
        self.sources = sources

    def _is_local(self, module: str) -> bool:
        return _key_of(self.sources, module.split(".")[0]) is not None

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
