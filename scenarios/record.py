"""Runs scenarios and keeps what they wrote.

    python scenarios/record.py                    every scenario of the catalogue that this machine can run
    python scenarios/record.py nan-lr-decoder …   these ones
    python scenarios/record.py --to DIR …         into another folder (to compare with what was recorded)
    python scenarios/record.py --from FOLDER …    a contributed scenario: FOLDER/scenario.json and its script

The console of a run goes to `console.log` in its folder, as `python train.py > console.log 2>&1` would put it there. Paths
and host names of the recording machine are replaced by neutral ones. `manifest.json` says what recorded each run.
"""

import argparse
import contextlib
import fcntl
import importlib.metadata
import json
import platform
import shutil
import tempfile
from pathlib import Path

from recorder.launch import run
from recorder.neutral import neutralise, refuse_leaks, swaps

root = Path(__file__).resolve().parent


def entries(file):
    content = json.loads(file.read_text())
    return content if isinstance(content, list) else [content]


def catalogue():
    """Every scenario by its id; the files in `catalog/` hold lists."""
    scenarios = {}
    for file in sorted((root / "catalog").glob("*.json")):
        for scenario in entries(file):
            if scenario["id"] in scenarios:
                raise SystemExit(f"{scenario['id']} is in the catalogue twice")
            scenarios[scenario["id"]] = scenario
    return scenarios


def keep(folder, target, scenario):
    """Moves the artefacts that belong to the record; models and caches do not."""
    if target.exists():
        shutil.rmtree(target)
    weights = "*.pt *.pth *.bin *.safetensors *.ckpt *.keras *.h5".split()
    unwanted = [*weights, "__pycache__", *scenario.get("drop", [])]
    unwanted += [mount["path"] for mount in scenario.get("mounts", [])]
    shutil.copytree(folder, target, ignore=shutil.ignore_patterns(*unwanted), symlinks=True)
    for link in [path for path in target.rglob("*") if path.is_symlink()]:
        link.unlink()
    for empty in sorted((path for path in target.rglob("*") if path.is_dir()), reverse=True):
        if not any(empty.iterdir()):
            empty.rmdir()


def machine(cuda):
    described = {"python": platform.python_version(), "system": f"{platform.system()} {platform.machine()}"}
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        described["torch"] = importlib.metadata.version("torch")
    if cuda:
        import torch

        described["gpu"] = torch.cuda.get_device_name()
        described["cuda"] = torch.version.cuda
    return described


def note(folder, name, entry):
    """Adds one entry to the manifest; several recorders may write to it at the same time."""
    file = folder / "manifest.json"
    with open(file, "a+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        held.seek(0)
        manifest = json.loads(held.read() or "{}")
        manifest[name] = entry
        held.truncate(0)
        held.write(json.dumps(manifest, indent=1, sort_keys=True) + "\n")


def chosen_from(options):
    if options.source:
        return entries(options.source / "scenario.json")
    scenarios = catalogue()
    unknown = [name for name in options.ids if name not in scenarios]
    if unknown:
        raise SystemExit(f"not in the catalogue: {', '.join(unknown)}")
    device = options.only_device or "cpu"
    return [scenarios[name] for name in options.ids] or [s for s in scenarios.values() if s.get("device", "cpu") == device]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ids", nargs="*")
    parser.add_argument("--to", type=Path, default=root / "recorded")
    parser.add_argument("--from", dest="source", type=Path)
    parser.add_argument("--only-device", choices=("cpu", "cuda"))
    options = parser.parse_args()
    chosen = chosen_from(options)
    here = machine(any(scenario.get("device") == "cuda" for scenario in chosen))
    options.to.mkdir(parents=True, exist_ok=True)
    for number, scenario in enumerate(chosen, 1):
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch) / "run"
            folder.mkdir()
            code, seconds = run(scenario, folder, options.source or root / "scripts")
            pairs = swaps(folder)
            neutralise(folder)
            keep(folder, options.to / scenario["id"], scenario)
        refuse_leaks(options.to / scenario["id"], pairs)
        note(options.to, scenario["id"], {"exit_code": code, "seconds": round(seconds, 1), "machine": here})
        print(f"{number}/{len(chosen)} {scenario['id']}: exit code {code} after {seconds:.1f} s", flush=True)


if __name__ == "__main__":
    main()
