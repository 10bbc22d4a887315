// calls/missing-executable: crashes, and healthy cells that differ by as little as possible. All of them are executed.
import type { CheckCase } from '../../libraries/cases/case.js';

export const cases: readonly CheckCase[] = [
  {
    check: 'calls/missing-executable',
    setup: 'import subprocess, shutil, sys, os',
    crash: 'command = ["grus-no-such-program", "--version"]\nsubprocess.run(command, capture_output=True)',
    raises: 'FileNotFoundError',
    line: 2,
    healthy: [
      'subprocess.run(["true"])',
      'subprocess.run([sys.executable, "-c", "pass"])',
      'subprocess.run("grus-no-such-program --version", shell=True, capture_output=True)',
      'if shutil.which("grus-no-such-program"):\n    subprocess.run(["grus-no-such-program"])',
      'try:\n    subprocess.run(["grus-no-such-program"])\nexcept FileNotFoundError:\n    pass',
      'open("grus-no-such-program", "w").write("#!/bin/sh\\n")\nos.chmod("grus-no-such-program", 0o755)\nos.environ["PATH"] += os.pathsep + os.getcwd()\nsubprocess.run(["grus-no-such-program"])',
    ],
  },
];
