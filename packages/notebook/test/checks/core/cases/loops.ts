// What an earlier round of a loop, or an earlier line, leaves as it was: patterns, groups, files that are only read.
import type { CheckCase } from '../../libraries/cases/case.js';

export const loops: readonly CheckCase[] = [
  {
    check: 'attributes/attribute-of-none',
    name: 'a pattern that does not match the last text',
    setup: 'import re\npattern = re.compile(r"epoch (\\d+)")\nlines = ["epoch 1", "epoch 2", "done"]',
    crash:
      'found = []\nfor line in lines:\n    match = pattern.match(line)\n    found.append(match.group(1))',
    raises: 'AttributeError',
    line: 4,
    healthy: [
      'for line in lines:\n    match = pattern.match(line)\n    if match: print(match.group(1))',
      'for line in lines[:2]:\n    print(pattern.match(line).group(1))',
      'for line in lines:\n    if (match := pattern.match(line)) is None: continue\n    print(match.group(1))',
    ],
  },
  {
    check: 'calls/refused-by-library',
    name: 'a group that is not there, after others that are',
    setup:
      'import pandas as pd\ngroups = pd.DataFrame({"carrier": ["AA", "UA"], "delay": [1, 2]}).groupby("carrier")',
    crash: 'for name in ["AA", "UA", "WN"]:\n    print(groups.get_group(name))',
    raises: 'KeyError',
    line: 2,
    healthy: [
      'for name in ["AA", "UA"]:\n    print(groups.get_group(name))',
      'for name in ["AA", "WN"]:\n    if name in groups.groups: print(groups.get_group(name))',
    ],
  },
  {
    check: 'labels/missing-key',
    name: 'a key that is not there, under a progress bar',
    setup: 'from tqdm.auto import tqdm\ndelays = {"AA": 1, "UA": 2}',
    crash: 'for name in tqdm(["AA", "WN"], disable=True):\n    print(delays[name])',
    raises: 'KeyError',
    line: 2,
    healthy: ['for name in tqdm(["AA", "UA"], disable=True):\n    print(delays[name])'],
  },
  {
    check: 'names/missing-file',
    name: 'the last of some images',
    setup:
      'import os\nfrom PIL import Image\nos.makedirs("images", exist_ok=True)\nImage.new("RGB", (4, 4)).save("images/0.png")\npaths = ["images/0.png", "images/none.png"]',
    crash:
      'sizes = []\nfor path in paths:\n    image = Image.open(path).convert("L").resize((2, 2))\n    sizes.append(image.size)',
    raises: 'FileNotFoundError',
    line: 3,
    healthy: [
      'for path in paths[:1]:\n    Image.open(path).convert("L").resize((2, 2))',
      'Image.new("L", (2, 2)).save("images/made.png")\nfor path in ["images/0.png", "images/made.png"]:\n    Image.open(path).rotate(90)',
      'for path in paths:\n    if os.path.exists(path): Image.open(path)',
    ],
  },
  {
    check: 'names/missing-file',
    name: 'the folder of a table that is written',
    setup: 'import os\nimport pandas as pd\ntable = pd.DataFrame({"a": [1]})',
    crash: 'table["b"] = 2\ntable.to_csv("results/table.csv", index=False)',
    raises: 'OSError',
    line: 2,
    healthy: [
      'table.to_csv("table.csv")',
      'os.makedirs("made", exist_ok=True)\ntable.to_csv("made/table.csv")',
      'text = table.to_csv()',
      'import io\ntable.to_csv(io.StringIO())',
    ],
  },
  {
    check: 'names/missing-module',
    name: 'below a package that is not loaded',
    crash: 'from sklearn.cross_validation import train_test_split',
    raises: 'ModuleNotFoundError',
    line: 1,
    onlyIf: '"sklearn" not in __import__("sys").modules',
    healthy: ['from sklearn.model_selection import train_test_split', 'import sklearn.utils.validation'],
  },
  {
    check: 'columns/missing-column',
    name: 'beside axes whose number alone is known',
    setup:
      'import pandas as pd\nimport matplotlib.pyplot as plt\ntable = pd.DataFrame({"a": [1], "b": [2]})\nnames = ["a", "b", "c"]',
    crash:
      'fig, axes = plt.subplots(1, len(names))\nfor ax, name in zip(axes, names):\n    ax.hist(table[name])',
    raises: 'KeyError',
    line: 3,
    healthy: [
      'fig, axes = plt.subplots(1, 2)\nfor ax, name in zip(axes, names):\n    ax.hist(table[name])',
      'fig, axes = plt.subplots(1, 3)\nfor ax, name in zip(axes, table):\n    ax.hist(table[name])',
    ],
  },
  {
    check: 'labels/position-out-of-bounds',
    name: 'one picture more than there are axes',
    setup: 'import numpy as np\nimport matplotlib.pyplot as plt\npictures = np.zeros((5, 2, 2))',
    crash:
      'fig, axes = plt.subplots(2, 2)\naxes = axes.ravel()\nfor i, picture in enumerate(pictures):\n    axes[i].imshow(picture)',
    raises: 'IndexError',
    line: 4,
    healthy: [
      'fig, axes = plt.subplots(2, 3)\naxes = axes.ravel()\nfor i, picture in enumerate(pictures):\n    axes[i].imshow(picture)',
      'fig, axes = plt.subplots(2, 2)\nfor i, picture in enumerate(pictures[:4]):\n    axes[i // 2, i % 2].imshow(picture)',
      'for i, picture in enumerate(pictures, start=-2):\n    pictures[i]',
    ],
  },
  {
    check: 'labels/position-out-of-bounds',
    name: 'of a list that grows by one for each element of another',
    setup: 'start = [1]',
    crash: 'grown = [1]\nfor x in start: grown.append(x)\ngrown[3]',
    raises: 'IndexError',
    line: 3,
    healthy: [
      'for x in start:\n    if len(start) < 4: start.append(x + 1)\nstart[3]',
      'for i, x in enumerate(start):\n    if i < 3: start.append(x)\nstart[3]',
      'left = [1, 2, 3]\nfor x in left: left.remove(x)\nleft[0]',
    ],
  },
  {
    check: 'labels/position-out-of-bounds',
    name: 'the first of no files',
    setup: 'import glob\nopen("only.csv", "w").close()',
    crash: 'files = sorted(glob.glob("data/*.csv"))\nfirst = files[0]',
    raises: 'IndexError',
    line: 2,
    healthy: [
      'files = sorted(glob.glob("*.csv"))\nfirst = files[0]',
      'open("late.txt", "w").close()\nfirst = glob.glob("late*")[0]',
      'files = glob.glob("data/*.csv")\nfirst = files[0] if files else None',
      '!touch shell.txt\nfirst = glob.glob("shell*")[0]',
    ],
  },
];
