// Packages of which nothing is known but their manners.
import type { LibraryModel } from '../../reasoning/library.js';
import { flatNames, namesBelow } from '../../reasoning/names.js';

const flat = flatNames('seaborn', 'polars', 'tqdm', 'wordcloud', 'cv2');
const below = namesBelow('transformers', 'plotly');

export const library: LibraryModel = {
  name: 'others',
  publicName: (parts) => flat(parts) ?? below(parts),
  manners: {
    keepingArguments:
      'seaborn plotly polars joblib tqdm IPython cv2 skimage nltk transformers requests wordcloud folium networkx'.split(
        ' ',
      ),
    writers: ['cv2.rectangle', 'cv2.circle', 'cv2.putText', 'cv2.line'],
    writingNoFiles: ['seaborn', 'tqdm'],
    lettingThrough: ['tqdm', 'seaborn', 'h5py', 'requests', 'plt', 'mlflow'],
  },
};
