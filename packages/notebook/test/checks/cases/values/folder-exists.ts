// values/folder-exists: crashes, and healthy cells that differ by as little as possible. All of them are executed.
import type { CheckCase } from '../../libraries/cases/case.js';

const setup =
  "import os, shutil\nfrom pathlib import Path\nos.mkdir('kept')\nfolder = Path('kept')\nname = 'kept'";

export const cases: readonly CheckCase[] = [
  {
    check: 'values/folder-exists',
    setup,
    crash: 'print(name)\nos.mkdir(name)',
    raises: 'FileExistsError',
    line: 2,
    healthy: [
      'os.makedirs(name, exist_ok=True)',
      "os.mkdir('other')\nos.makedirs('other/deep')",
      'if not os.path.exists(name):\n    os.mkdir(name)',
      'if not folder.is_dir():\n    folder.mkdir()',
      'os.rmdir(name)\nos.mkdir(name)',
      'shutil.rmtree(name)\nos.makedirs(name)',
      "os.rename(name, 'moved')\nos.mkdir(name)",
      'try:\n    os.mkdir(name)\nexcept FileExistsError:\n    pass',
      'try:\n    os.mkdir(name)\nexcept OSError:\n    pass',
      "name = 'fresh'\nos.mkdir(name)",
      "os.chdir(name)\nos.mkdir('kept')",
      'folder.mkdir(exist_ok=True)\nfolder.rmdir()\nfolder.mkdir()',
      "(folder / 'in').mkdir()",
      '!rm -r kept\nos.mkdir(name)',
    ],
  },
  {
    check: 'values/folder-exists',
    name: 'by its path',
    setup,
    crash: 'folder.mkdir()',
    raises: 'FileExistsError',
    line: 1,
    healthy: ["folder.with_name('second').mkdir()", "folder = Path('third')\nfolder.mkdir()"],
  },
];
