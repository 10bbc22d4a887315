"""Takes the recording machine out of a run's files: paths, host and user become neutral, and what cannot be cleaned is
refused."""

import contextlib
import os
import re
import socket
import sqlite3
import sys
from pathlib import Path

root = Path(__file__).resolve().parents[1]


def swaps(folder):
    """Longest first: a path inside another must not be cut in half."""
    pairs = {
        str(folder): "/home/user/run",
        str(folder.with_name("project")): "/home/user/project",
        str(root): "/home/user/project",
        str(root.parent): "/home/user/work",
        os.path.realpath(sys.prefix): "/opt/env",
        sys.prefix: "/opt/env",
        os.path.realpath(sys.base_prefix) + "/lib": "/opt/python/lib",
        os.path.realpath(sys.executable): "/opt/env/bin/python",
    }
    return sorted(pairs.items(), key=lambda pair: -len(pair[0]))


def clean(text, pairs):
    for path, neutral in pairs:
        text = text.replace(path, neutral)
    text = re.sub(rf"(?<![\w-]){re.escape(socket.gethostname())}(?![\w-])", "node01", text)
    return re.sub(r"/tmp/[\w./-]+", "/tmp/scratch", text)


def clean_database(file, pairs):
    """Swaps paths in every text column, and leaves out tables without rows and unused pages: they are most of the file."""
    with contextlib.closing(sqlite3.connect(file)) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        database.execute("PRAGMA foreign_keys = OFF")
        for table in names:
            for column in [row[1] for row in database.execute(f'PRAGMA table_info("{table}")')]:
                for path, neutral in pairs:
                    texts = f"""instr("{column}", ?) AND typeof("{column}") = 'text'"""
                    update = f'UPDATE "{table}" SET "{column}" = replace("{column}", ?, ?) WHERE {texts}'
                    database.execute(update, (path, neutral, path))
            if not database.execute(f'SELECT 1 FROM "{table}" LIMIT 1').fetchone():
                database.execute(f'DROP TABLE "{table}"')
        database.commit()
        database.execute("PRAGMA page_size = 512")
        database.execute("VACUUM")


def neutralise(folder):
    """Replaces paths and names of this machine in every file of the run."""
    pairs = swaps(folder)
    for file in sorted(folder.rglob("*")):
        if file.is_symlink() or not file.is_file():
            continue
        if file.suffix == ".db":
            clean_database(file, pairs)
            continue
        try:
            text = file.read_bytes().decode()
        except UnicodeDecodeError:
            continue
        file.write_bytes(clean(text, pairs).encode())
    for file in list(folder.rglob("*tfevents*")):
        file.rename(file.with_name(clean(file.name, [])))


def refuse_leaks(folder, pairs):
    """Binary files cannot be rewritten: what still names this machine must not be kept."""
    for file in folder.rglob("*"):
        if file.is_file():
            content = file.read_bytes()
            for path, _ in pairs:
                if path.encode() in content:
                    raise SystemExit(f"{file.relative_to(folder)} still holds {path}")
