// Packages of which nothing is known but their manners.
import type { LibraryModel } from '../../reasoning/library.js';
import { flatNames, namesBelow } from '../../reasoning/names.js';

const flat = flatNames('seaborn', 'tqdm', 'wordcloud', 'cv2');
const below = namesBelow('transformers', 'plotly');

export const library: LibraryModel = {
  name: 'others',
  publicName: (parts) => flat(parts) ?? below(parts),
  manners: {
    // They draw or print the data that they are given, from copies of their own.
    keepingArguments: ['seaborn', 'plotly', 'tqdm', 'IPython'],
    writingNoFiles: ['seaborn', 'tqdm'],
    lettingThrough: ['tqdm', 'seaborn', 'h5py', 'requests', 'plt', 'mlflow'],
  },
};
