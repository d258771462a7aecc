"""Notices: heard, or given up within a bounded time."""

import time

import pytest

from cluster import notice
from sim.rules_file import BadInput
from tests.nights import listening


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notice, "PAUSES", (0.0, 0.01, 0.01))
    monkeypatch.setattr(notice, "NOTICE_SECONDS", 1.0)


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
        ([0, 0, 0], 3, "no answer within 1 s"),
        ([-1, -1, -1], 3, "no answer within 1 s"),
    ],
)
def test_a_notice_is_tried_a_few_times(
    codes: list[int], tries: int, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with listening(*codes) as server:
        began = time.monotonic()
        assert notice.post(server.url, {"line": "ä"}) == (not why)
        assert time.monotonic() - began < 10
        assert server.heard == [{"line": "ä"}] * tries
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
