"""`configs/clusters`: files for Ray, KubeRay and containers that fit each other, and cluster files that are read."""

import re
import shlex
import tomllib
from pathlib import Path

import pytest
import typer
import yaml
from ray.autoscaler._private.util import prepare_config, validate_config
from ray.scripts.scripts import start

from cluster import cli, dispatch, jobs, run

ROOT = Path(__file__).parents[2]
FILES = ROOT / "configs" / "clusters"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
IMAGE = f"registry.example.com/duosuan:{PROJECT['version']}"


def pinned(name: str) -> str:
    (version,) = re.findall(f"^{name}==(.*)$", (ROOT / "constraints.txt").read_text(), re.MULTILINE)
    return version


def load(name: str) -> dict:
    return yaml.safe_load((FILES / name).read_text())


def check_command(line: str) -> None:
    """The command is one of ours, and takes the arguments that it is given."""
    program, name, *words = shlex.split(line)
    assert program == "duosuan"
    command = typer.main.get_command(cli.app).commands[name]  # type: ignore[attr-defined]
    command.make_context(name, words)


# For Ray's cluster launcher


@pytest.mark.parametrize("name", ["onpremise.yaml", "aws.yaml"])
def test_a_file_for_ray_up_is_valid(name):
    config = prepare_config(load(name))
    config.setdefault("cluster_synced_files", [])
    validate_config(config)


@pytest.mark.parametrize("name", ["onpremise.yaml", "aws.yaml"])
def test_machines_ask_for_a_token_and_show_the_dashboard_to_nobody(name):
    config = load(name)
    assert "~/.ray/auth_token" in config["file_mounts"]
    commands = [line for key in ("head_start_ray_commands", "worker_start_ray_commands") for line in config[key]]
    starts = [line for line in commands if "ray start" in line]
    assert len(starts) == 2
    known = {option for parameter in start.params for option in parameter.opts}
    for line in starts:
        assert "RAY_AUTH_MODE=token" in line
        assert set(re.findall(r"--[a-z-]+", line.partition("ray start")[2])) <= known
    assert "--head" in starts[0]
    assert "--dashboard-host=127.0.0.1" in starts[0]


def test_what_is_copied_to_machines_is_there():
    for remote, local in load("onpremise.yaml")["file_mounts"].items():
        assert local.startswith("~") or (ROOT / local).exists(), remote


def test_the_workers_of_an_experiment_are_what_the_cluster_grows_to():
    config = load("aws.yaml")
    (processors,) = re.findall(r"--workers (\d+)", (FILES / "aws.yaml").read_text())
    assert config["max_workers"] * 16 == int(processors)
    job = load("rayjob.yaml")["spec"]
    (players,) = job["rayClusterSpec"]["workerGroupSpecs"]
    (player,) = players["template"]["spec"]["containers"]
    size = int(player["resources"]["requests"]["cpu"]) * players["maxReplicas"]
    assert f"--workers {size}" in job["entrypoint"]


# For KubeRay: the keys of its definition of a RayJob (version v1) that a file of ours may use

JOB = {
    "entrypoint", "backoffLimit", "activeDeadlineSeconds", "shutdownAfterJobFinishes", "ttlSecondsAfterFinished",
    "rayClusterSpec", "runtimeEnvYAML", "submissionMode", "submitterPodTemplate", "suspend", "metadata",
}  # fmt: skip
CLUSTER = {
    "rayVersion", "authOptions", "enableInTreeAutoscaling", "autoscalerOptions", "headGroupSpec", "workerGroupSpecs",
}  # fmt: skip
GROUP = {"groupName", "replicas", "minReplicas", "maxReplicas", "rayStartParams", "template"}
CONTAINER = {"name", "image", "resources", "envFrom", "env", "command", "args", "volumeMounts"}


def test_a_job_for_kuberay_has_the_form_of_one():
    document = load("rayjob.yaml")
    assert (document["apiVersion"], document["kind"]) == ("ray.io/v1", "RayJob")
    assert re.fullmatch("[a-z0-9-]{1,47}", document["metadata"]["name"])
    spec = document["spec"]
    assert spec.keys() <= JOB
    inner = spec["rayClusterSpec"]
    assert {"headGroupSpec", "rayVersion"} <= inner.keys() <= CLUSTER
    assert inner["authOptions"] == {"mode": "token"}
    known = {option.removeprefix("--") for parameter in start.params for option in parameter.opts}
    for group in (inner["headGroupSpec"], *inner["workerGroupSpecs"]):
        assert {"rayStartParams", "template"} <= group.keys() <= GROUP
        assert group["rayStartParams"].keys() <= known
        assert all(isinstance(value, str) for value in group["rayStartParams"].values())
        (container,) = group["template"]["spec"]["containers"]
        assert {"name", "image"} <= container.keys() <= CONTAINER
    for group in inner["workerGroupSpecs"]:
        assert group["groupName"]
        assert group["minReplicas"] <= group["replicas"] <= group["maxReplicas"]


def test_commands_in_the_files_are_ours():
    check_command(load("rayjob.yaml")["spec"]["entrypoint"])
    found = [
        line
        for name in ("onpremise.yaml", "aws.yaml")
        for line in re.findall(r"^#.*(duosuan submit .*)$", (FILES / name).read_text(), re.MULTILINE)
    ]
    assert len(found) == 2
    for line in found:
        check_command(line)


# Images and versions


def test_image_and_versions_are_the_same_everywhere():
    text = (FILES / "Containerfile").read_text()
    (ray, python) = re.findall(r"^FROM docker.io/rayproject/ray:([\d.]+)-py(\d+)$", text, re.MULTILINE)[0]
    assert ray == pinned("ray")
    assert f">={python[0]}.{python[1:]}" == PROJECT["requires-python"]
    assert f"-t {IMAGE} ." in text
    assert load("aws.yaml")["docker"]["image"] == IMAGE
    inner = load("rayjob.yaml")["spec"]["rayClusterSpec"]
    assert inner["rayVersion"] == ray
    for group in (inner["headGroupSpec"], *inner["workerGroupSpecs"]):
        assert group["template"]["spec"]["containers"][0]["image"] == IMAGE


def test_an_image_is_made_of_what_is_there():
    text = (FILES / "Containerfile").read_text()
    for line in re.findall("^COPY (.*)$", text, re.MULTILINE):
        *sources, _ = line.split()
        assert all((ROOT / source).exists() for source in sources)
    (command,) = re.findall(r"^CMD (\[.*\])$", text, re.MULTILINE)
    assert yaml.safe_load(command)[0] in PROJECT["scripts"]


# Cluster files


@pytest.fixture
def asked(monkeypatch):
    """What `run` and `submit` are asked to do, instead of doing it."""
    calls = []
    monkeypatch.setattr(run, "run", lambda *given: calls.append(given))
    monkeypatch.setattr(jobs, "submit", lambda *given: calls.append(given) or "job")
    monkeypatch.setattr(jobs, "show_jobs", lambda *given: calls.append(given))
    for name in jobs.ADDRESSES:
        monkeypatch.delenv(name, raising=False)
    return calls


@pytest.fixture
def site(tmp_path) -> str:
    (tmp_path / "site.toml").write_text(
        'archive = "s3://wargames/archives"\nworkers = 96\naddress = "head:6379"\njobs = "http://head:8265"\n'
        'game_limit = 5.0\nlimit_gb = 100.0\nenv = ["AWS_ENDPOINT_URL"]\n'
    )
    return str(tmp_path / "site.toml")


def test_a_cluster_file_goes_before_defaults_and_behind_what_is_typed(asked, site, monkeypatch):
    far = dispatch.Options(False, 96, "head:6379", False, 5.0)
    assert cli.run(["run", "demo", "--cluster", site]) == 0
    assert cli.run(["run", "demo", "--workers", "3", "--cluster", site, "--archive", "here"]) == 0
    monkeypatch.setenv("RAY_ADDRESS", "other:6379")
    assert cli.run(["run", "demo", "--cluster", site]) == 0
    assert cli.run(["run", "demo", "--cluster", "local"]) == 0
    assert asked == [
        ("demo", "s3://wargames/archives", far, 100.0),
        ("demo", "here", far._replace(workers=3), 100.0),
        ("demo", "s3://wargames/archives", far._replace(address="other:6379"), 100.0),
        ("demo", "archives", dispatch.Options(False, 2, "other:6379", False, 60.0), 20.0),
    ]


def test_the_same_file_tells_commands_that_ask_a_head_where_it_is(asked, site, capsys):
    assert cli.run(["submit", "demo", "--cluster", site, "--no-wait"]) == 0
    assert cli.run(["jobs", "--cluster", site]) == 0
    assert asked == [
        ("demo", "s3://wargames/archives", "http://head:8265", jobs.Submission(96, 5.0, 100.0, ["AWS_ENDPOINT_URL"])),
        ("http://head:8265", False),
    ]
    assert capsys.readouterr().out == "job\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("worker = 2", "worker: unknown key; allowed: archive, workers, "),
        ('workers = "two"', 'workers: "two" is wrong: input should be a valid integer'),
        ("workers = 0", "workers: 0 is wrong: input should be greater than or equal to 1"),
        (None, "there is no such file and no built-in cluster 'locl': use local (did you mean local?)"),
    ],
)
def test_a_wrong_cluster_file(asked, capsys, tmp_path, text, message):
    (tmp_path / "site.toml").write_text(text or "")
    assert cli.run(["run", "demo", "--cluster", str(tmp_path / "site.toml") if text else "locl"]) == 2
    assert asked == []
    assert message in capsys.readouterr().err
