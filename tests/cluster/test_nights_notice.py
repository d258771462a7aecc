"""Notices: heard, or given up within a bounded time."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from cluster import notice
from sim.rules_file import BadInput


class Listener(ThreadingHTTPServer):
    """Answers each notice with the next of its codes: 0 is no answer, -1 one that trickles; then with 204."""

    daemon_threads = True

    def __init__(self, codes: list[int]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.codes = codes
        self.heard: list[tuple[str, dict]] = []
        self.over = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/hook"


class _Handler(BaseHTTPRequestHandler):
    server: Listener

    def do_POST(self) -> None:
        document = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.heard.append((self.path, document))
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
def listening(*codes: int) -> Iterator[Listener]:
    with Listener(list(codes)) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.over.set()
            server.shutdown()
            thread.join(10)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notice, "PAUSES", (0.0, 0.01, 0.01))
    monkeypatch.setattr(notice, "NOTICE_SECONDS", 0.3)


@pytest.mark.parametrize(
    ("codes", "tries", "why"),
    [
        ([], 1, ""),
        ([500], 2, ""),
        ([500, 503], 3, ""),
        ([0, 0], 3, ""),
        ([500, 500, 500], 3, "HTTP Error 500"),
        ([302, 302, 302], 3, "HTTP Error 302"),
        ([404, 404, 403], 3, "HTTP Error 403"),
        ([0, 0, 0], 3, "no answer within 0.3 s"),
        ([-1, -1, -1], 3, "no answer within 0.3 s"),
    ],
)
def test_a_notice_is_tried_a_few_times(
    codes: list[int], tries: int, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with listening(*codes) as server:
        began = time.monotonic()
        assert notice.post(server.url, {"line": "ä"}) == (not why)
        assert time.monotonic() - began < 10
        assert server.heard == [("/hook", {"line": "ä"})] * tries
    said = capsys.readouterr().err.splitlines()
    assert [line.startswith("the notice could not be sent, in 3 tries: ") and why in line for line in said] == (
        [True] if why else []
    )


@pytest.mark.parametrize(
    "url",
    [
        "",
        "nobody",
        "ftp://example.com/a",
        "file:///etc/hosts",
        "http://",
        "http:///hook",
        "http://host:port/",
        "http://host:99999/",
        "http://host:0/",
        "http://[::1/",
        "http://host/a b",
        "http://host/\n",
        "http://höst/",
        "https://user:secret@host/",
        " http://host/",
    ],
)
def test_an_address_that_cannot_be_right_is_refused(url: str) -> None:
    with pytest.raises(BadInput, match=r"^--webhook: ") as refused:
        notice.check_address(url, "--webhook")
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/nobody", "https://hooks.example.com/a?b=c", "http://[::1]:80/"])
def test_an_address(url: str) -> None:
    notice.check_address(url, "--webhook")
