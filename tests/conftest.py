"""One command runs everything: tests of rules and policies with the compiler off, all others with it on.

A rule function that is called on its own would have to be compiled for that call, which takes seconds; a scripted
policy is a Python function. So the tests below `INTERPRETED` run in a pytest of their own with NUMBA_DISABLE_JIT=1,
which starts while the others run, and its reports are passed on here as if they had run in place. To debug one:
``NUMBA_DISABLE_JIT=1 pytest tests/rules/... --pdb``.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import hypothesis
import numpy as np
import pytest

# The same examples every time, and no clock: the first call of a compiled function takes as long as it takes.
hypothesis.settings.register_profile("house", derandomize=True, deadline=None, database=None)
hypothesis.settings.load_profile("house")

INTERPRETED = [Path(__file__).parent / folder for folder in ("rules", "interpreted")]
COMPILER_IS_OFF = os.environ.get("NUMBA_DISABLE_JIT", "0") not in {"", "0"}
REPORTS = "DUOSUAN_TEST_REPORTS"  # file that the other pytest writes its reports to


def _runs_elsewhere(item: pytest.Item) -> bool:
    return not COMPILER_IS_OFF and any(folder in item.path.parents for folder in INTERPRETED)


class _Elsewhere:
    """The pytest that runs with the compiler off."""

    def __init__(self, config: pytest.Config, nodes: list[str]) -> None:
        self.config = config
        self.folder = tempfile.TemporaryDirectory()
        self.file = Path(self.folder.name) / "reports"
        self.output = Path(self.folder.name) / "output"
        chosen = Path(self.folder.name) / "nodes"
        chosen.write_text("\n".join(nodes), encoding="utf-8")
        command = [sys.executable, "-m", "pytest", f"@{chosen}", "-m", "", "-p", "no:cacheprovider"]
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                [*command, "--rootdir", str(config.rootpath)],
                cwd=config.invocation_params.dir,
                env={**os.environ, "NUMBA_DISABLE_JIT": "1", REPORTS: str(self.file)},
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        self.reports: dict[str, list[pytest.TestReport]] | None = None

    def reports_of(self, item: pytest.Item) -> list[pytest.TestReport]:
        if self.reports is None:
            self.process.wait()
            self.reports = {}
            for line in self.file.read_text(encoding="utf-8").splitlines() if self.file.exists() else ():
                report = self.config.hook.pytest_report_from_serializable(config=self.config, data=json.loads(line))
                self.reports.setdefault(report.nodeid, []).append(report)
        found = self.reports.get(item.nodeid, [])
        outcomes = {report.when: report.outcome for report in found}
        if "teardown" in outcomes and ("call" in outcomes or outcomes["setup"] != "passed"):
            return found
        output = self.output.read_text(encoding="utf-8", errors="replace")
        message = f"not run with the compiler off; that pytest says:\n{output}"
        return [pytest.TestReport(item.nodeid, item.location, {}, "failed", message, "call")]

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()


ELSEWHERE = pytest.StashKey[_Elsewhere]()
REPORTS_TO = pytest.StashKey[str | None]()


def pytest_configure(config: pytest.Config) -> None:
    # Taken out of the environment: a test that runs pytest itself has its own report written, not those of that pytest.
    config.stash[REPORTS_TO] = os.environ.pop(REPORTS, None)


def pytest_collection_finish(session: pytest.Session) -> None:
    nodes = [item.nodeid for item in session.items if _runs_elsewhere(item)]
    if nodes and not session.config.option.collectonly:
        session.stash[ELSEWHERE] = _Elsewhere(session.config, nodes)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> bool | None:
    if not _runs_elsewhere(item):
        return None
    hook = item.ihook
    hook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for report in item.session.stash[ELSEWHERE].reports_of(item):
        hook.pytest_runtest_logreport(report=report)
    hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def pytest_sessionfinish(session: pytest.Session) -> None:
    if ELSEWHERE in session.stash:
        session.stash[ELSEWHERE].close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item):
    """Writes a report down for the pytest that started this one."""
    report = yield
    if file := item.config.stash[REPORTS_TO]:
        data = item.config.hook.pytest_report_to_serializable(config=item.config, report=report)
        with Path(file).open("a", encoding="utf-8") as reports:
            reports.write(json.dumps(data) + "\n")
    return report


@pytest.fixture(autouse=COMPILER_IS_OFF)
def wrapping_words():
    """The dice's uint64 arithmetic wraps by design; with the compiler off NumPy warns of it (see `sim.game.play`)."""
    with np.errstate(over="ignore"):
        yield
