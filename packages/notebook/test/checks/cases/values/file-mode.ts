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
  {
    check: 'values/file-mode',
    name: 'bytes for a text file',
    setup: 'import pickle, json, io\nmodel = {"w": [1, 2]}',
    crash: "with open('model.pkl', 'w') as f:\n    pickle.dump(model, f)",
    raises: 'TypeError',
    line: 2,
    healthy: [
      "with open('model.pkl', 'wb') as f:\n    pickle.dump(model, f)",
      "with open('model.json', 'w') as f:\n    json.dump(model, f)",
      "with open('model.json', 'w+') as f:\n    json.dump(model, f)\n    f.seek(0)\n    f.read()",
      "kind = 'b'\nwith open('model.pkl', 'w' + kind) as f:\n    pickle.dump(model, f)",
      "with open('model.pkl', 'w') as f:\n    f = io.BytesIO()\n    pickle.dump(model, f)",
      "with open('a.txt', 'w') as f, open('model.pkl', 'wb') as g:\n    f.write('x')\n    pickle.dump(model, g)",
      "with open('a.txt', 'w') as f:\n    try:\n        pickle.dump(model, f)\n    except TypeError:\n        pass",
      "with open('model.pkl', 'w') as f:\n    pickle.dump(model, f.buffer)",
    ],
  },
  {
    check: 'values/file-mode',
    name: 'a number for a text file',
    setup: 'score = 0.5\nn = 3\nclass Word(str):\n    pass\nword = Word("w")\nnothing = None',
    crash: "with open('score.txt', 'w') as f:\n    f.write('score')\n    f.write(score)",
    raises: 'TypeError',
    line: 3,
    healthy: [
      "with open('score.txt', 'w') as f:\n    f.write(str(score))",
      "with open('score.txt', 'w') as f:\n    f.write(f'{score:.2f}')\n    f.write(word)",
      "with open('score.txt', 'wb') as f:\n    f.write(str(score).encode())\n    f.write(b'\\n' * n)",
      "with open('score.txt', 'wb') as f:\n    f.write(memoryview(b'abc'))\n    f.write(bytearray(3))",
      "with open('score.txt', 'w') as f:\n    print(score, file=f)",
      "import numpy as np\nwith open('score.bin', 'wb') as f:\n    f.write(np.float64(score))",
    ],
  },
  {
    check: 'values/file-mode',
    name: 'text for a binary file',
    setup: 'import json\nlines = ["a", "b"]',
    crash: "out = open('lines.bin', 'wb')\njson.dump(lines, out)",
    raises: 'TypeError',
    line: 2,
    healthy: [
      "out = open('lines.txt', 'w')\njson.dump(lines, out)\nout.close()",
      "with open('lines.bin', 'bw') as out:\n    assert out.mode == 'wb'",
    ],
  },
];
