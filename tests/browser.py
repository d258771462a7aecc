"""Pages in a browser without a window: what its console says of one, and what becomes of its document."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
QUIET = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-extensions", "--enable-logging=stderr",
)  # fmt: skip

in_browser = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine")


def opened(file: Path, after: str = "") -> tuple[list[str], str]:
    """What the console says of a page, line by line, and the page once its scripts have run.

    ``after`` is what follows the file in the address, such as ``#turn=5``.
    """
    assert CHROMIUM is not None
    profile = f"--user-data-dir={file.parent / 'profile'}"
    done = subprocess.run(
        [CHROMIUM, *QUIET, profile, "--dump-dom", file.as_uri() + after],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return re.findall(r"CONSOLE.*", done.stderr), done.stdout
