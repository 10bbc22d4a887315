// values/file-mode: crashes, and healthy cells that differ by as little as possible. All of them are executed.
import type { CheckCase } from '../../libraries/cases/case.js';

const setup = "from pathlib import Path\nPath('log.txt').write_text('one\\n')";

export const cases: readonly CheckCase[] = [
  {
    check: 'values/file-mode',
    setup,
    crash: "with open('log.txt') as f:\n    f.write('two')",
    raises: 'UnsupportedOperation',
    line: 2,
    healthy: [
      "with open('log.txt', 'a') as f:\n    f.write('two')",
      "with open('log.txt', 'r+') as f:\n    f.write('two')",
      "with open('log.txt', mode='w') as f:\n    f.write('two')",
      "with open('log.txt') as f:\n    f.read()",
      "mode = 'r' + '+'\nwith open('log.txt', mode) as f:\n    f.write('two')",
      "f = open('log.txt')\nf.close()\nf = open('log.txt', 'w')\nf.write('two')\nf.close()",
      "import io\nwith open('log.txt') as f:\n    f = io.StringIO()\n    f.write('two')",
    ],
  },
  {
    check: 'values/file-mode',
    name: 'reading what is written',
    setup,
    crash: "out = open('copy.txt', 'wb')\nout.read()",
    raises: 'UnsupportedOperation',
    line: 2,
    healthy: [
      "out = open('log.txt', 'rb')\nout.read()",
      "out = open('copy.txt', 'w+b')\nout.write(b'x')\nout.read()",
    ],
  },
];
