"""Notices: what became of a night, posted as JSON to whom it concerns."""

import http.client
import json
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from typing import Any

from cluster.progress import say
from queries.files import without_credentials
from sim.rules_file import BadInput

NOTICE_SECONDS = 5.0
"""How long a try may take; a night does not wait for more, nor fail for it."""
PAUSES = (0.0, 1.0, 3.0)
"""Seconds before each try."""


def check_address(url: str, key: str) -> None:
    """Raises `BadInput` unless notices can be posted to an address."""
    shown = without_credentials(url)
    if not url.isascii() or not url.isprintable() or " " in url or not _names_a_host(url):
        message = f"{shown!r} is no address: it begins with http:// or https:// and names a host"
        raise BadInput(message, key=key)
    if urllib.parse.urlsplit(url).username is not None:
        raise BadInput(f"{shown!r}: an address must hold no user and password", key=key)


def _names_a_host(url: str) -> bool:
    try:
        parts = urllib.parse.urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number, brackets that do not close
        return False


def post(url: str, notice: Mapping[str, Any]) -> bool:
    """Posts a notice and returns whether it was heard; that it was not is said and is none of the night's."""
    why = ""
    for pause in PAUSES:
        time.sleep(pause)
        why = _try(url, json.dumps(notice).encode())
        if not why:
            return True
    say(f"the notice could not be sent, in {len(PAUSES)} tries: {why}")
    return False


def _try(url: str, body: bytes) -> str:
    """Why a notice was not heard; empty if it was."""
    why = [f"no answer within {NOTICE_SECONDS:g} s"]
    # In a thread: the time limit of a socket bounds neither a look-up of the name nor an answer that trickles.
    thread = threading.Thread(target=_post, args=(url, body, why), daemon=True)
    thread.start()
    thread.join(NOTICE_SECONDS)
    return why[0]


def _post(url: str, body: bytes, why: list[str]) -> None:
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"}, method="POST")
    try:
        with urllib.request.build_opener(_NoRedirect).open(request, timeout=NOTICE_SECONDS):
            why[0] = ""
    except urllib.error.URLError as error:
        why[0] = f"{error}" if isinstance(error, urllib.error.HTTPError) else f"{error.reason}"
    except (OSError, http.client.HTTPException, ValueError) as error:
        why[0] = str(error) or type(error).__name__


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Elsewhere a notice would arrive without its text: a redirect is an answer like 404."""

    def redirect_request(self, *_: Any) -> None:
        return None
