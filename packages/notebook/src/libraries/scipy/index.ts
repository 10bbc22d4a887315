// What Grus knows of SciPy: which of its functions may be asked, and the matrices it gives.
import { words } from '../../reasoning/inquiry/planning.js';
import type { LibraryModel } from '../../reasoning/library.js';
import { namesBelow } from '../../reasoning/names.js';

const pure =
  /^scipy\.(stats|linalg|special|spatial|spatial\.distance|sparse|interpolate|signal|cluster\.hierarchy|ndimage|fft|integrate)\.\w+$/;
/** What they give depends on chance. */
const random = /\.(rvs|bootstrap|permutation_test|monte_carlo_test|qmc)$/;

export const library: LibraryModel = {
  name: 'scipy',
  publicName: namesBelow('scipy'),
  manners: { keepingArguments: ['scipy'], writingNoFiles: ['scipy'] },
  questions: {
    purity(name) {
      if (!name.startsWith('scipy.')) return undefined;
      return pure.test(name) && !random.test(name) ? 'askable' : 'no';
    },
    askableMethods: words('toarray todense tocsr tocsc tocoo'),
    classes: /^scipy\./,
  },
};
