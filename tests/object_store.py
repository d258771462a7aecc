"""An object store on loopback for tests, and a way to it that can be made to fail."""

import http.client
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

START_SECONDS = 60
_ERRORS = {
    "slow": (503, "SlowDown", "Please reduce your request rate."),
    "denied": (403, "AccessDenied", "Access Denied"),
}
_OWN = {"transfer-encoding", "connection", "date", "server", "content-length"}


@contextmanager
def object_store() -> Generator[int]:
    """Runs moto's server while the context is open; gives its port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + START_SECONDS
        while True:
            assert process.poll() is None, "the object store has ended"
            assert time.monotonic() < until, f"no object store after {START_SECONDS} s"
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.05)
        yield port
    finally:
        process.kill()
        process.wait()


class Way(ThreadingHTTPServer):
    """A way to the store that passes everything on until ``fails`` says how it is to fail: as a key of `_ERRORS`, or
    ``cut``: the connection ends without an answer. ``puts`` counts what was written, ``after`` says at which number
    it begins to fail, and ``seen`` keeps what was asked.
    """

    daemon_threads = True

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", 0), _Passing)
        self.store = port
        self.fails = ""
        self.after = 0
        self.puts = 0
        self.seen: list[str] = []
        Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: object, client_address: object) -> None:
        """Says nothing: who is cut off tells of it himself."""


class _Passing(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # an answer is sent at once: in two parts, the second would wait
    disable_nagle_algorithm = True
    server: Way

    def handle_expect_100(self) -> bool:
        goes_on = super().handle_expect_100()
        self.wfile.flush()
        return goes_on

    def _pass(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.seen.append(f"{self.command} {self.path}")
        self.server.puts += self.command == "PUT"
        if self.server.fails and self.server.puts >= self.server.after:
            self._fail()
            return
        store = http.client.HTTPConnection("127.0.0.1", self.server.store, timeout=60)
        store.request(self.command, self.path, body, dict(self.headers))
        answer = store.getresponse()
        content = answer.read()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in _OWN:
                self.send_header(name, value)
        if self.command != "HEAD":
            self.send_header("Content-Length", str(len(content)))
        elif length := answer.getheader("Content-Length"):
            self.send_header("Content-Length", length)
        self.end_headers()
        self.wfile.write(content)
        store.close()

    def _fail(self) -> None:
        if self.server.fails == "cut":
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        status, code, message = _ERRORS[self.server.fails]
        content = f"<Error><Code>{code}</Code><Message>{message}</Message></Error>".encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content if self.command != "HEAD" else b"")

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = _pass  # noqa: N815 - names that the library asks for

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


def environment(address: str) -> dict[str, str]:
    """What tells a program of a store, and a secret that must not be seen anywhere."""
    return {
        "AWS_ENDPOINT_URL": address,
        "AWS_ACCESS_KEY_ID": "the-access-key",
        "AWS_SECRET_ACCESS_KEY": "the-secret-key",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_MAX_ATTEMPTS": "2",
    }


def make_bucket(port: int, name: str) -> None:
    """Makes a bucket."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}/{name}", method="PUT")
    urllib.request.urlopen(request, timeout=60).close()
