"""Runs scenarios and keeps what they wrote.

    python scenarios/record.py                    every scenario of the catalogue that this machine can run
    python scenarios/record.py nan-lr-decoder …   these ones
    python scenarios/record.py --to DIR …         into another folder (to compare with what was recorded)

The console of a run goes to `console.log` in its folder, as `python train.py > console.log 2>&1` would put it there. Paths
and host names of the recording machine are replaced by neutral ones. `manifest.json` says what recorded each run.
"""

import argparse
import json
import os
import platform
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

root = Path(__file__).resolve().parent


def catalogue():
    """Every scenario by its id; the files in `catalog/` hold lists."""
    scenarios = {}
    for file in sorted((root / "catalog").glob("*.json")):
        for scenario in json.loads(file.read_text()):
            if scenario["id"] in scenarios:
                raise SystemExit(f"{scenario['id']} is in the catalogue twice")
            scenarios[scenario["id"]] = scenario
    return scenarios


def command(scenario):
    script = str(root / "scripts" / scenario["script"])
    options = [text for name, value in scenario.get("args", {}).items() for text in (f"--{name}", str(value))]
    launcher = scenario.get("launcher")
    if launcher == "torchrun":
        ranks = str(scenario.get("ranks", 2))
        return [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", ranks, script, *options]
    return [sys.executable, "-u", script, *options]


def run(scenario, folder):
    """Runs one scenario in `folder` and returns (exit code, seconds)."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(root),
        "PYTHONUNBUFFERED": "1",
        "TQDM_MININTERVAL": "0",
        "HF_HUB_OFFLINE": "1",
        "WANDB_MODE": "offline",
        "TF_CPP_MIN_LOG_LEVEL": "2",
        "CUDA_LAUNCH_BLOCKING": "0",
        **scenario.get("environment", {}),
    }
    started = time.time()
    with open(folder / scenario.get("console", "console.log"), "wb") as console:
        process = subprocess.Popen(
            command(scenario), cwd=folder, env=environment, stdout=console, stderr=subprocess.STDOUT, start_new_session=True
        )
        limit = scenario.get("seconds", 120)
        try:
            code = process.wait(limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, getattr(signal, scenario.get("stop_signal", "SIGKILL")))
            code = process.wait(30)
        for line in scenario.get("epilogue", []):
            console.write((line + "\n").encode())
    return code, time.time() - started


def neutralise(folder):
    """Replaces paths and names of this machine in every text file."""
    swaps = [
        (str(folder), "/home/user/run"),
        (str(root), "/home/user/project"),
        (os.path.realpath(sys.prefix), "/opt/env"),
        (sys.prefix, "/opt/env"),
        (os.path.realpath(sys.base_prefix), "/opt/python"),
        (socket.gethostname(), "node01"),
    ]
    for file in folder.rglob("*"):
        if not file.is_file() or file.suffix in (".db", ".wandb") or "tfevents" in file.name:
            continue
        try:
            text = file.read_text()
        except UnicodeDecodeError:
            continue
        for path, neutral in swaps:
            text = text.replace(path, neutral)
        file.write_text(re.sub(r"/tmp/[\w./-]+", "/tmp/scratch", text))
    for file in list(folder.rglob("*tfevents*")):
        file.rename(file.with_name(file.name.replace(socket.gethostname(), "node01")))


def keep(folder, target, scenario):
    """Moves the artefacts that belong to the record; models and caches do not."""
    if target.exists():
        shutil.rmtree(target)
    unwanted = shutil.ignore_patterns("*.pt", "*.pth", "*.bin", "*.safetensors", "*.ckpt", "*.keras", "__pycache__", *scenario.get("drop", []))
    shutil.copytree(folder, target, ignore=unwanted)


def machine():
    described = {"python": platform.python_version(), "system": f"{platform.system()} {platform.machine()}"}
    try:
        import torch

        described["torch"] = torch.__version__
        if torch.cuda.is_available():
            described["gpu"] = torch.cuda.get_device_name()
            described["cuda"] = torch.version.cuda
    except ImportError:
        pass
    return described


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ids", nargs="*")
    parser.add_argument("--to", type=Path, default=root / "recorded")
    parser.add_argument("--only-device", choices=("cpu", "cuda"))
    options = parser.parse_args()
    scenarios = catalogue()
    unknown = [name for name in options.ids if name not in scenarios]
    if unknown:
        raise SystemExit(f"not in the catalogue: {', '.join(unknown)}")
    here = machine()
    chosen = [scenarios[name] for name in options.ids] or [
        s for s in scenarios.values() if s.get("device", "cpu") == (options.only_device or "cpu")
    ]
    options.to.mkdir(parents=True, exist_ok=True)
    manifest_file = options.to / "manifest.json"
    manifest = json.loads(manifest_file.read_text()) if manifest_file.exists() else {}
    for number, scenario in enumerate(chosen, 1):
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch) / "run"
            folder.mkdir()
            code, seconds = run(scenario, folder)
            neutralise(folder)
            keep(folder, options.to / scenario["id"], scenario)
        manifest[scenario["id"]] = {"exit_code": code, "seconds": round(seconds, 1), "machine": here}
        manifest_file.write_text(json.dumps(manifest, indent=1, sort_keys=True) + "\n")
        print(f"{number}/{len(chosen)} {scenario['id']}: exit code {code} after {seconds:.1f} s", flush=True)


if __name__ == "__main__":
    main()
