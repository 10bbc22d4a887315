# How the small runs log: the three ways people write a loop's numbers down, chosen per run.
import csv
import json
import sys


class Log:
    """Writes one row per step as console text, JSON lines or CSV into the current directory."""

    def __init__(self, kind, **settings):
        self.kind = kind
        self.rows = []
        print("Namespace(" + ", ".join(f"{k}={v!r}" for k, v in settings.items()) + ")", flush=True)
        self.stream = open("metrics.jsonl", "w") if kind == "jsonl" else None

    def row(self, step, **values):
        values = {k: float(v.detach() if hasattr(v, "detach") else v) for k, v in values.items()}
        if self.kind == "console":
            print(f"step {step}: " + ", ".join(f"{k}={v:.6g}" for k, v in values.items()), flush=True)
        elif self.kind == "jsonl":
            self.stream.write(json.dumps({"step": step, **values}) + "\n")
            self.stream.flush()
        else:
            self.rows.append({"step": step, **values})
            keys = sorted({k for r in self.rows for k in r}, key=lambda k: (k != "step", k))
            with open("metrics.csv", "w", newline="") as f:
                writer = csv.DictWriter(f, keys)
                writer.writeheader()
                writer.writerows(self.rows)


def in_own_process(name, body, folder):
    """Forks, runs `body` in its own folder with its own console log, and writes down how it ended as a shell would."""
    import os
    import signal
    import traceback

    os.makedirs(folder, exist_ok=True)
    pid = os.fork()
    if pid == 0:
        os.chdir(folder)
        out = os.open("train.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(out, 1)
        os.dup2(out, 2)
        sys.stdout = open(1, "w", buffering=1, closefd=False)
        sys.stderr = open(2, "w", buffering=1, closefd=False)
        code = 0
        try:
            body()
            print("Training finished.", flush=True)
        except BaseException:
            traceback.print_exc()
            code = 1
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    _, status = os.waitpid(pid, 0)
    if os.WIFSIGNALED(status):
        words = {signal.SIGKILL: "Killed", signal.SIGTERM: "Terminated"}
        with open(os.path.join(folder, "train.log"), "a") as f:
            f.write(f"bash: line 1: {pid} {words.get(os.WTERMSIG(status), 'Aborted')}   python {name}.py\n")
