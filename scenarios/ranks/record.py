"""Records jobs of several Gloo ranks, each with one fault, as torchrun leaves them: python scenarios/ranks/record.py OUT [NAME...]

A job is a folder: the logs of the ranks as torchrun writes them, the launcher's own log, the dumps of the flight recorders, and
label.json with the rank that was made to fail. The program runs in a folder of its own, so that no path of
this machine is kept.
"""

import json
import os
import pathlib
import pickle
import shutil
import subprocess
import sys
import tempfile

#: Name, fault, guilty rank, world size, and the rank whose dump is left out. The fault of a healthy job only looks like one.
JOBS = [
    ("healthy-4", "none", -1, 4, None),
    ("healthy-6", "none", -1, 6, None),
    ("exception-4", "exception", 1, 4, None),
    ("exception-6", "exception", 5, 6, None),
    ("stall-4", "stall", 2, 4, None),
    ("stall-6-no-dump", "stall", 3, 6, 3),
    ("kill-4", "kill", 3, 4, None),
    ("early-end-4", "early-end", 0, 4, None),
    ("skip-4", "skip", 2, 4, None),
    ("skip-6", "skip", 4, 6, None),
    ("operation-4", "operation", 1, 4, None),
    ("shape-4", "shape", 3, 4, None),
    ("type-4", "type", 0, 4, None),
    ("alone-4", "alone", 2, 4, None),
    ("out-of-memory-2", "out-of-memory", 1, 2, None),
    ("disk-full-4", "disk-full", 3, 4, None),
    ("segfault-3", "segfault", 1, 3, None),
    ("deadlock-4", "deadlock", 3, 4, None),
    ("loader-4", "loader", 2, 4, None),
    ("evaluation-4", "evaluation", 0, 4, None),
    ("checkpoint-4", "checkpoint", 0, 4, None),
    ("uneven-4", "uneven", 1, 4, None),
    ("interface-3", "interface", 2, 3, None),
    ("slow-compute-4", "slow-compute", 1, 4, None),
    ("slow-loader-4", "slow-loader", 3, 4, None),
    ("drift-4", "drift", 2, 4, None),
    ("stall-16", "stall", 11, 16, None),
    ("healthy-slow-first-step-4", "slow-first-step", 1, 4, None),
    ("healthy-pause-4", "pause", 0, 4, None),
    ("healthy-retry-4", "retry", 2, 4, None),
    ("healthy-restart-4", "restart", 2, 4, None),
]


def record(name, fault, guilty, world, no_dump, out):
    folder = out / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    place = str(pathlib.Path(tempfile.gettempdir()) / "job")
    shutil.rmtree(place, ignore_errors=True)
    pathlib.Path(place).mkdir()
    try:
        program = pathlib.Path(place) / "train.py"
        shutil.copy(pathlib.Path(__file__).with_name("train.py"), program)
        logs = pathlib.Path(place) / "logs"
        environment = dict(
            os.environ,
            GRUS_FAULT=fault,
            GRUS_RANK=str(guilty),
            GRUS_OUT=str(folder),
            GRUS_NO_DUMP="" if no_dump is None else str(no_dump),
            TORCH_FR_BUFFER_SIZE="200",
            OMP_NUM_THREADS="1",
        )
        command = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", str(world)]
        command += ["--log-dir", str(logs), "--redirects", "3"]
        command += [*(["--max-restarts", "1"] if fault == "restart" else []), str(program)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=180, check=False)
        (folder / "launcher.log").write_text(clean(done.stderr, place))
        for dump in folder.glob("comm_lib_trace_rank_*"):
            dump.write_bytes(pickle.dumps(cleaned(pickle.loads(dump.read_bytes()), place), protocol=2))
        for attempt in sorted(logs.glob("*/attempt_*/*/std*.log")):
            target = folder.joinpath(*attempt.parts[-3:])
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(clean(attempt.read_text(errors="replace"), place))
    finally:
        shutil.rmtree(place, ignore_errors=True)
    first = None if name.startswith("healthy-") else guilty
    label = {"fault": fault, "world_size": world, "rank": first, "no_dump": no_dump}
    (folder / "label.json").write_text(json.dumps(label) + "\n")
    print(name, "exit code", done.returncode, flush=True)


def clean(text, place):
    for own in (os.path.realpath(sys.prefix), sys.prefix, os.path.realpath(sys.base_prefix), sys.base_prefix):
        text = text.replace(own, "/env")
    return text.replace(place, "/tmp/job")


def cleaned(value, place):
    if isinstance(value, str):
        return clean(value, place)
    if isinstance(value, (list, tuple)):
        return type(value)(cleaned(item, place) for item in value)
    if isinstance(value, dict):
        return {key: cleaned(item, place) for key, item in value.items()}
    return value


def main():
    out, wanted = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    for name, *job in JOBS:
        if not wanted or name in wanted:
            record(name, *job, out)


if __name__ == "__main__":
    main()
