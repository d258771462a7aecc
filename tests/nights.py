"""Nights for tests: a place where they are played, a night that broke off, and a listener to their notices."""

import json
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from cluster import cli

EXPERIMENT = """
name = "night"
seed = 5
replications = 30
record = "games"
[night]
dice = "{dice}"
[policies.axis]
policy = "{policy}"
[[play]]
scenarios = ["barbarossa/uranus"]
blue = ["axis"]
red = ["easy"]
"""


class Nights:
    """A place where nights are played."""

    def __init__(self, folder: Path) -> None:
        self.archive, self.reports, self.file = folder / "archive", folder / "reports", folder / "night.toml"
        self.write()

    def write(self, policy: str = "steady", dice: str = "new", more: str = "") -> None:
        self.file.write_text(EXPERIMENT.format(policy=policy, dice=dice).replace("[night]\n", f"[night]\n{more}\n"))

    def arguments(self, label: str, *more: str) -> list[str]:
        places = ["--archive", str(self.archive), "--reports", str(self.reports)]
        return ["nightly", str(self.file), *places, "--label", label, "--inline", *more]

    def play(self, label: str, *more: str) -> int:
        return cli.run(self.arguments(label, *more))

    def told(self, label: str) -> dict:
        return json.loads((self.reports / label / "night.json").read_text())

    def index(self) -> str:
        return (self.reports / "index.html").read_text()

    def folder(self, label: str) -> Path:
        """The folder of a night's experiment."""
        return self.manifests()[label].parent

    def manifests(self) -> dict[str, Path]:
        """The manifests in the archive that can be read, by label."""
        found = {}
        for path in self.archive.glob("experiment=*/manifest.json"):
            try:
                found[json.loads(path.read_text())["label"]] = path
            except (ValueError, LookupError, TypeError):
                continue
        return found

    def change(self, label: str, **changes: object) -> None:
        """Changes a night's manifest."""
        path = self.manifests()[label]
        path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))

    def break_off(self, label: str) -> Path:
        """Makes a night one that broke off before its last shard, and returns that shard's file."""
        *_, shard = sorted(self.folder(label).glob("games/*/*/*.parquet"))
        shard.unlink()
        self.change(label, complete=False)
        return shard


class Listener(ThreadingHTTPServer):
    """Keeps what is posted to it, and answers with the next of its codes: 0 is no answer, -1 one that trickles; when
    there is none left, with 204.
    """

    daemon_threads = True

    def __init__(self, codes: list[int]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.codes = codes
        self.heard: list[dict] = []
        self.over = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/hook"


class _Handler(BaseHTTPRequestHandler):
    server: Listener

    def do_POST(self) -> None:
        self.server.heard.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        code = self.server.codes.pop(0) if self.server.codes else 204
        if code == 0:
            self.server.over.wait(20)
        while code == -1 and not self.server.over.wait(0.02):
            try:
                self.wfile.write(b"H")
            except OSError:
                return
        if code > 0:
            self.send_response(code)
            self.send_header("Location", "/elsewhere")
            self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def listening(*codes: int) -> Generator[Listener]:
    """A listener on loopback while the context is open."""
    with Listener(list(codes)) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.over.set()
            server.shutdown()
            thread.join(10)
