# Runs every case of every script and keeps what a reader needs of it as fixtures, with this machine's folders taken out.
# Usage: record.py [SCRIPT ...]; the labels beside the recordings are written by hand.
import os
import re
import shutil
import site
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
target = os.path.join(here, "..", "fixtures", "runs")
scripts = ("plain_torch", "hugging_face", "lightning_runs", "keras_runs", "two_ranks")
kept = re.compile(r"(\.log|\.csv|\.jsonl|\.yaml|trainer_state\.json)$")


def without_folders(text, work):
    for folder, instead in ((work, "/runs"), (here, "/project"), (site.getsitepackages()[0], "/venv/site-packages"),
                            (sys.base_prefix, "/usr"), (os.path.realpath(sys.base_prefix), "/usr"), (sys.prefix, "/venv")):
        text = text.replace(folder, instead)
    return text


def keep(script, case, work):
    source = os.path.join(work, case)
    goal = os.path.join(target, f"{script}-{case}")
    shutil.rmtree(goal, ignore_errors=True)
    newest = {}
    for folder, _, names in os.walk(source):
        for name in sorted(names):
            path = os.path.join(folder, name)
            if kept.search(name) and "checkpoint-" not in path:
                newest[os.path.relpath(path, source)] = path
    for relative, path in newest.items():
        os.makedirs(os.path.dirname(os.path.join(goal, relative)), exist_ok=True)
        with open(path, encoding="utf-8", errors="surrogateescape") as f:
            text = f.read()
        with open(os.path.join(goal, relative), "w", encoding="utf-8", errors="surrogateescape") as f:
            f.write(without_folders(text, work))


for script in sys.argv[1:] or scripts:
    with tempfile.TemporaryDirectory() as work:
        subprocess.run([sys.executable, os.path.join(here, f"{script}.py"), work], check=True, cwd=here)
        for case in sorted(os.listdir(work)):
            keep(script, case, work)
