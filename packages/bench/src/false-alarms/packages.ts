// The libraries whose own examples make up the corpus. Only what is installed can run, so the versions are the installed ones.
import { GrusError } from '@grus/core';
import { installedVersions } from '../live/versions.js';

export const defaultPackages: readonly string[] = [
  'keras',
  'matplotlib',
  'networkx',
  'numpy',
  'pandas',
  'polars',
  'scikit-learn',
  'scipy',
  'seaborn',
  'statsmodels',
];

/** What the sessions of a library's documentation take for granted. */
const customaryImports: Readonly<Record<string, string>> = {
  keras: 'import numpy as np\nimport keras',
  matplotlib: 'import numpy as np\nimport matplotlib.pyplot as plt',
  networkx: 'import networkx as nx',
  numpy: 'import numpy as np',
  pandas: 'import numpy as np\nimport pandas as pd',
  polars: 'import polars as pl',
  'scikit-learn': 'import numpy as np',
  scipy: 'import numpy as np',
  statsmodels: 'import numpy as np\nimport statsmodels.api as sm',
};

export function customaryImportsOf(name: string): string[] {
  const imports = customaryImports[name];
  return imports === undefined ? [] : [imports];
}

export interface PackageVersion {
  readonly name: string;
  readonly version: string;
}

/** Those of the packages that the interpreter has, in alphabetical order. */
export async function installedPackages(
  python: string,
  names: readonly string[] = defaultPackages,
): Promise<PackageVersion[]> {
  const versions = await installedVersions(python, names);
  const installed = [...new Set(names)]
    .sort()
    .map((name) => ({ name, version: versions[name] ?? '' }))
    .filter(({ version }) => version !== '');
  if (installed.length > 0) return installed;
  throw new GrusError(`${python} has none of ${names.join(', ')}`, {
    advice: 'Install the libraries whose examples are to be run, or name others with --packages.',
  });
}
