"""Experiments as jobs of a cluster: what travels, what is refused before anything is sent, and a real head."""

import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from cluster import cli
from cluster.experiment import read
from cluster.parcel import pack
from cluster.planner import make_plan
from tests.ray_head import Head, ray_head

ROOT = Path(__file__).parents[2]
NOBODY = "http://127.0.0.1:1"
EXPERIMENT = """
name = "far"
seed = 3
replications = {replications}
record = "{record}"
[policies.own]
policy = "../policies/mine.py:POLICY"
cost = 20
[[play]]
scenarios = ["winter.toml"]
blue = ["own"]
red = ["easy"]
design = {{ kind = "list", file = "points.csv" }}
"""
HELPER = "from sim.barbarossa.policies import hold\nPOLICY = hold.POLICY\n"


def write(folder: Path, replications: int = 2, record: str = "games", **texts: str) -> Path:
    """An experiment with files of its own: a scenario and its map, points, and a policy with a helper."""
    scenario = (ROOT / "configs" / "scenarios" / "barbarossa" / "uranus.toml").read_text()
    (board,) = re.findall('^map = "(.*)"$', scenario, re.MULTILINE)
    files = {
        "plans/far.toml": EXPERIMENT.format(replications=replications, record=record),
        "plans/winter.toml": re.sub('^map = ".*"', 'map = "own_map"', scenario, flags=re.MULTILINE),
        "plans/own_map.toml": (ROOT / "configs" / "maps" / "barbarossa" / f"{board}.toml").read_text(),
        "plans/points.csv": "doctrine.blue.retreats\n0\n1\n",
        "policies/mine.py": "from helper import POLICY\n",
        "policies/helper.py": HELPER,
        "plans/credentials": "secret",
        "plans/archives/experiment=far/manifest.json": "{}",
    }
    for name, text in (files | texts).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder / "plans" / "far.toml"


def typed(capsys, *words: object) -> tuple[int, str, str]:
    return cli.run([str(word) for word in words]), *capsys.readouterr()


# What travels


def test_an_experiment_travels_with_what_it_names_and_nothing_else(tmp_path):
    source = read(str(write(tmp_path / "here")))
    inner = pack(source, tmp_path / "there")
    assert inner == "experiment/plans/far.toml"
    named = {path.relative_to(tmp_path / "there").as_posix() for path in (tmp_path / "there").rglob("*")}
    assert {name for name in named if name.startswith("experiment/") and "." in name} == {
        f"experiment/{name}"
        for name in (
            "plans/far.toml", "plans/winter.toml", "plans/own_map.toml", "plans/points.csv",
            "policies/mine.py", "policies/helper.py",
        )
    }  # fmt: skip
    there = read(str(tmp_path / "there" / inner))
    assert there.text == source.text
    assert make_plan(there).plan.id == make_plan(source).plan.id


def test_our_code_travels_without_tests_caches_and_history(tmp_path):
    pack(read("demo"), tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"sim", "cluster", "queries", "configs", "experiment"}
    assert (tmp_path / "cluster" / "__main__.py").is_file()
    assert (tmp_path / "configs" / "maps" / "barbarossa").is_dir()
    assert not list(tmp_path.rglob("__pycache__"))
    assert sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()) < 5e6


# What is refused before anything is sent: nobody is at the address, and each line is about something else


@pytest.mark.parametrize(
    ("files", "words", "code", "message"),
    [
        ({}, ["--archive", "/shared"], 1, f"Ray's job server {NOBODY} cannot be used: [Errno 111] Connection refused"),
        ({}, ["--archive", "archives"], 2, "--archive: 'archives' would be lost on the head"),
        ({}, ["--archive", "s3://me:the-secret@bucket/x"], 2, "s3://bucket/x: cannot be used: an address must hold no"),
        ({}, ["--archive", "/shared", "--env", "NOT_THERE=the-secret"], 2, "--env: there is no variable 'NOT_THERE'"),
        ({}, ["--archive", "/shared", "--limit-gb", "0"], 2, "would take about"),
        ({}, ["--archive", "/shared", "--address", "http://me:the-secret@127.0.0.1:1"], 1, "server http://127.0.0.1:1"),
        ({}, ["--archive", "/shared", "--address", "head"], 2, "'head' is no address of a head: use http://HOST:8265"),
        ({"policies/helper.py": "POLICY = 1 // 0"}, ["--archive", "/shared"], 2, "mine.py: cannot be imported"),
        ({"plans/far.toml": 'name = "../far"'}, ["--archive", "/shared"], 2, 'name: "../far" is wrong'),
    ],
)
def test_refusals(capsys, tmp_path, files, words, code, message):
    file = write(tmp_path, **files)
    found, out, err = typed(capsys, "submit", file, "--address", NOBODY, *words)
    assert (found, out) == (code, "")
    assert re.fullmatch(r"error: [^\n]+\n", err)
    assert message in err
    assert "the-secret" not in err


def test_an_absolute_path_does_not_travel(capsys, tmp_path):
    file = write(tmp_path)
    file.write_text(file.read_text().replace("../policies/mine.py", str(tmp_path / "policies" / "mine.py")))
    code, _, err = typed(capsys, "submit", file, "--address", NOBODY, "--archive", "/shared")
    assert code == 2
    assert f"far.toml: policies.own: {tmp_path}/policies/mine.py is an absolute path" in err


# A job server that takes what it is sent


class Taker(ThreadingHTTPServer):
    """Answers as a job server that has every package already; ``status`` is that of its answer to a submission, and
    ``says`` the text if it refuses one, else what it was sent.
    """

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Taking)
        self.status = 200
        self.says = ""
        self.taken: list[dict] = []
        self.version = {"version": "4", "ray_version": "2.60.0", "ray_commit": "", "session_name": ""}


class _Taking(BaseHTTPRequestHandler):
    server: Taker

    def do_GET(self) -> None:
        self._answer(200, self.server.version if self.path == "/api/version" else [])

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.taken.append(json.loads(body))
        refused = {"it_was": body.decode()} if self.server.status != 200 else {}
        answer = self.server.says or {"submission_id": "x", "job_id": "x", **refused}
        self._answer(self.server.status, answer)

    def _answer(self, status: int, content: object) -> None:
        data = (content if isinstance(content, str) else json.dumps(content)).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


@pytest.fixture
def taker() -> Iterator[Taker]:
    with Taker() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join(10)


@pytest.fixture
def submit(taker, capsys, monkeypatch, tmp_path):
    """Submits to it, and returns the exit code, stderr and what was taken."""
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "the-secret")
    file = write(tmp_path)

    def submitted(*words: str) -> tuple[int, str, dict]:
        address = f"http://127.0.0.1:{taker.server_port}"
        place = ["--address", address, "--archive", "s3://bucket/some archive", "--no-wait"]
        code, out, err = typed(capsys, "submit", file, *place, *words)
        (taken,) = taker.taken
        assert out == ("" if code else "x\n")
        return code, err, taken

    return submitted


def test_what_is_sent_holds_no_credentials(submit):
    code, err, taken = submit("--workers", "3")
    assert (code, err) == (0, "")
    assert taken["entrypoint"] == (
        "python -m cluster run experiment/plans/far.toml --archive 's3://bucket/some archive' "
        "--workers 3 --game-limit 60 --limit-gb 20"
    )
    assert re.fullmatch(r"far-[0-9a-f]{8}-\d{8}-\d{6}-[0-9a-f]{4}", taken["submission_id"])
    assert taken["runtime_env"]["env_vars"] == {"RAY_JOB_STOP_WAIT_TIME_S": "60"}
    assert taken["runtime_env"]["working_dir"].startswith("gcs://")
    assert "the-secret" not in json.dumps(taken)


def test_a_variable_travels_if_it_is_asked_for(submit):
    _, _, taken = submit("--env", "AWS_SECRET_ACCESS_KEY")
    assert taken["runtime_env"]["env_vars"]["AWS_SECRET_ACCESS_KEY"] == "the-secret"


def test_a_refusal_of_the_head_is_told_without_what_it_repeats(taker, submit):
    taker.status = 500
    code, err, _ = submit("--env", "AWS_SECRET_ACCESS_KEY")
    assert code == 1
    assert "status code 500" in err
    assert "the-secret" not in err


def test_of_a_refusal_in_many_lines_the_last_one_that_says_something_is_told(taker, submit):
    taker.status, taker.says = (
        500,
        "Traceback (most recent call last):\n  File ...\nValueError: Job x already exists.\n",
    )
    code, err, _ = submit()
    assert code == 1
    assert err.endswith("cannot be used: ValueError: Job x already exists.\n")


def test_the_same_experiment_twice_in_a_second_is_two_jobs(taker, capsys, tmp_path):
    file = write(tmp_path)
    for _ in range(3):
        address = f"http://127.0.0.1:{taker.server_port}"
        assert typed(capsys, "submit", file, "--address", address, "--archive", "/shared", "--no-wait")[0] == 0
    assert len({taken["submission_id"] for taken in taker.taken}) == 3


def test_what_is_typed_goes_before_rays_variables(taker, capsys, monkeypatch):
    address = f"http://127.0.0.1:{taker.server_port}"
    monkeypatch.setenv("RAY_ADDRESS", NOBODY)
    code, _, err = typed(capsys, "jobs")
    assert (code, NOBODY in err) == (1, True)
    assert typed(capsys, "jobs", "--address", address)[0] == 0
    monkeypatch.setenv("RAY_API_SERVER_ADDRESS", address)
    code, out, _ = typed(capsys, "jobs", "--json")
    assert (code, json.loads(out)) == (0, [])


@pytest.mark.parametrize("command", ["logs", "stop"])
def test_no_such_job(taker, capsys, command):
    code, _, err = typed(capsys, command, "nothing", "--address", f"http://127.0.0.1:{taker.server_port}")
    assert (code, err) == (2, "error: there is no job 'nothing': the cluster has had none\n")


def test_a_server_that_is_not_rays(taker, capsys):
    taker.version = {}
    code, _, err = typed(capsys, "jobs", "--address", f"http://127.0.0.1:{taker.server_port}")
    assert (code, err.endswith("cannot be used: what answers there is not Ray\n")) == (1, True)


# A real head


class Outside:
    """A shell on a machine that knows the head's address and its token: Ray reads them once in a process."""

    def __init__(self, head: Head) -> None:
        self.known = {**os.environ, **head.token, "RAY_ADDRESS": head.jobs}

    def types(self, *words: object, code: int = 0, **environment: str) -> tuple[str, str]:
        done = subprocess.run(
            [sys.executable, "-m", "cluster", *map(str, words)],
            cwd=ROOT,
            env=self.known | environment,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout, done.stderr

    def jobs(self) -> list[dict]:
        return json.loads(self.types("jobs", "--json")[0])


@pytest.fixture(scope="module")
def head() -> Iterator[Head]:
    with ray_head() as head:
        yield head


@pytest.fixture
def outside(head: Head) -> Outside:
    return Outside(head)


@pytest.mark.slow
def test_a_job_makes_the_same_bytes_as_a_run_here(outside, tmp_path):
    file = write(tmp_path)
    outside.types("run", file, "--archive", tmp_path / "here", "--inline")
    out, err = outside.types("submit", file, "--archive", tmp_path / "there")
    (job,) = re.findall("^job (.*); Ctrl-C leaves it to itself$", err, re.MULTILINE)
    assert "4 of 4 games, complete; 0 failed" in out
    here, there = (
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.parquet")}
        for folder in (tmp_path / "here", tmp_path / "there")
    )
    assert here == there
    listed = outside.jobs()[-1]
    assert (listed["job"], listed["status"], listed["exit_code"]) == (job, "succeeded", 0)
    assert re.search(f"^{job} +succeeded +", outside.types("jobs")[0], re.MULTILINE)
    assert outside.types("logs", job)[0] == outside.types("logs", job, "--follow")[0] == out
    assert f"job {job} has ended already: succeeded" in outside.types("stop", job)[1]
    assert f"did you mean {job}?" in outside.types("stop", f"{job}x", code=2)[1]


@pytest.mark.slow
def test_a_job_that_is_stopped_keeps_what_is_published_and_goes_on(outside, tmp_path):
    file = write(tmp_path, replications=40_000, record="units")
    job = outside.types("submit", file, "--archive", tmp_path / "there", "--no-wait")[0].strip()
    until = time.monotonic() + 120
    while not list(tmp_path.glob("there/*/games/**/*.parquet")):
        assert time.monotonic() < until, outside.types("logs", job)
        time.sleep(0.1)
    out, _ = outside.types("stop", job)
    assert re.fullmatch(
        f"job {job}: stopped; it said last: error: stopped; .* games are there; go on with: duosuan resume .*\n", out
    )
    there = set(tmp_path.glob("there/*/games/**/*.parquet"))
    assert there
    assert outside.types("logs", job, "--follow", code=1)[1] == f"error: job {job} was stopped\n"
    assert "80,000 of 80,000 games, complete" in outside.types("submit", file, "--archive", tmp_path / "there")[0]
    assert there < set(tmp_path.glob("there/*/games/**/*.parquet"))


@pytest.mark.slow
def test_a_job_that_fails_ends_as_the_run_does(outside, tmp_path):
    (tmp_path / "file").touch()
    out, err = outside.types("submit", write(tmp_path), "--archive", tmp_path / "file", code=2)
    assert f"error: {tmp_path / 'file'}: is a file, not a folder" in out
    assert re.search(r"error: job far-\S+ failed with exit code 2\n$", err)


@pytest.mark.slow
def test_a_head_lets_nobody_in_without_its_token(outside, head):
    out, err = outside.types("jobs", code=1, RAY_AUTH_MODE="disabled")
    assert out == ""
    assert err.startswith(f"error: the head {head.jobs} asks for another token: set RAY_AUTH_MODE=token")
