"""Starts one scenario as its catalogue entry says: launcher, limits, mounts, and a stop from outside.

The script runs as `train.py` from a folder of its own, so that tracebacks show the name a user's script would have.
"""

import contextlib
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

root = Path(__file__).resolve().parents[1]


def environment(scenario):
    return {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
        "PYTHONPATH": str(root),
        "PYTHONUNBUFFERED": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "USER": "user",
        "LOGNAME": "user",
        "TQDM_MININTERVAL": "0",
        "HF_HUB_OFFLINE": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "WANDB_MODE": "offline",
        "TF_CPP_MIN_LOG_LEVEL": "2",
        "CUDA_LAUNCH_BLOCKING": "0",
        **scenario.get("environment", {}),
    }


def command(scenario, script):
    options = [text for name, value in scenario.get("args", {}).items() for text in (f"--{name}", str(value))]
    if scenario.get("launcher") == "torchrun":
        words = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
        words += ["--nproc-per-node", str(scenario.get("ranks", 2)), *scenario.get("launcher_args", [])]
        words += [str(script), *options]
    else:
        words = [sys.executable, "-u", str(script), *options]
    if scenario.get("shell"):
        # The shell reports by itself how its child ended: "Killed", "Bus error", "Terminated".
        runner = script.with_name("run.sh")
        runner.write_text('#!/bin/bash\n"$@"\n')
        words = ["bash", str(runner), *words]
    for mount in scenario.get("mounts", []):
        inside = 'mount -t tmpfs -o "size=$1" tmpfs "$2" && shift 2 && exec "$@"'
        words = ["unshare", "--map-root-user", "--mount", "sh", "-c", inside, "sh", mount["size"], mount["path"], *words]
    return words


def limit(scenario):
    """What the child does to itself before it becomes the run."""
    limits = scenario.get("limits", {})

    def apply():
        if "address_space_mb" in limits:
            size = limits["address_space_mb"] * 2**20
            resource.setrlimit(resource.RLIMIT_AS, (size, size))
        if "open_files" in limits:
            resource.setrlimit(resource.RLIMIT_NOFILE, (limits["open_files"], limits["open_files"]))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    return apply


def processes_of(mark):
    """(pid, resident bytes) of every process of the run. Launchers give their children sessions of their own: a mark in
    the environment finds all."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if mark.encode() in (entry / "environ").read_bytes():
                found.append((int(entry.name), int((entry / "statm").read_text().split()[1]) * resource.getpagesize()))
        except (OSError, IndexError):
            continue
    return found


def send(pid, chosen):
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, chosen)


class Watch:
    """Ends a run from outside: at a line it printed, over a memory limit, or when its time is up."""

    def __init__(self, scenario, process, console, mark):
        self.scenario, self.process, self.console, self.mark = scenario, process, console, mark
        self.deadline = time.time() + scenario.get("seconds", 120)
        self.matched = None

    def due(self):
        pattern = self.scenario.get("stop_when")
        if not pattern:
            return False
        if self.matched is None and re.search(pattern, self.console.read_text(errors="replace")):
            self.matched = time.time()
        return self.matched is not None and time.time() - self.matched >= self.scenario.get("stop_delay", 0)

    def over_memory(self):
        allowed = self.scenario.get("limits", {}).get("resident_mb")
        if not allowed:
            return None
        running = processes_of(self.mark)
        if sum(size for _, size in running) > allowed * 2**20:
            return max(running, key=lambda one: one[1])[0]
        return None

    def wait(self):
        """The exit code, after whatever the watch did."""
        while self.process.poll() is None:
            largest = self.over_memory()
            if largest:
                send(largest, signal.SIGKILL)
            elif self.due() or time.time() > self.deadline:
                return self.stop()
            time.sleep(0.1)
        return self.process.returncode

    def stop(self):
        chosen = getattr(signal, self.scenario.get("stop_signal", "SIGKILL"))
        # The shell stays, to report how its child ended.
        spared = self.process.pid if self.scenario.get("shell") else None
        for pid, _ in processes_of(self.mark):
            if pid != spared:
                send(pid, chosen)
        try:
            return self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait(30)


def run(scenario, folder, scripts):
    """Runs one scenario in `folder` and returns (exit code, seconds)."""
    project = folder.with_name("project")
    project.mkdir()
    script = project / "train.py"
    shutil.copyfile(scripts / scenario["script"], script)
    for mount in scenario.get("mounts", []):
        if not os.path.isabs(mount["path"]):
            (folder / mount["path"]).mkdir(parents=True)
    console = folder / scenario.get("console", "console.log")
    mark = f"SCENARIO_RUN={uuid.uuid4().hex}"
    started = time.time()
    with open(console, "wb") as output:
        process = subprocess.Popen(
            command(scenario, script),
            cwd=folder,
            env={**environment(scenario), **dict([mark.split("=")])},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=limit(scenario),  # noqa: PLW1509 (the recorder has no other threads)
        )
        code = Watch(scenario, process, console, mark).wait()
        for pid, _ in processes_of(mark):
            send(pid, signal.SIGKILL)
        output.seek(0, os.SEEK_END)
        now = time.strftime("%Y-%m-%dT%H:%M:%S")
        output.writelines((line.replace("{now}", now) + "\n").encode() for line in scenario.get("epilogue", []))
    return code, time.time() - started
