// What Grus knows of statsmodels: models are made of data and judge it when they are made or fitted.
import { partsOf, words } from '../../reasoning/inquiry/planning.js';
import type { LibraryModel } from '../../reasoning/library.js';
import { namesBelow } from '../../reasoning/names.js';

const pure =
  /^statsmodels\.(api|tsa\.\w+|stats\.\w+|regression\.\w+|discrete\.\w+|genmod\.\w+|tools\.\w+)\.\w+(\.\w+)?$/;

export const library: LibraryModel = {
  name: 'statsmodels',
  publicName: namesBelow('statsmodels'),
  manners: { keepingArguments: ['statsmodels'], writingNoFiles: ['statsmodels'] },
  questions: {
    purity(name) {
      if (!name.startsWith('statsmodels.')) return undefined;
      return pure.test(name) && !name.endsWith('.from_formula') ? 'askable' : 'no';
    },
    askableMethods: words(
      'fit_regularized get_prediction get_forecast forecast conf_int summary wald_test f_test t_test predict',
    ),
    classes: /^statsmodels\./,
    // Fitting gives the results and leaves the model alone. A model that a step made is known by that step only.
    planCall({ receiver, method, args }, _callee, _context, exact) {
      if (method !== 'fit' || !receiver) return undefined;
      const { fact } = receiver;
      if (fact.kind !== 'unknown' && !(fact.class ?? '').startsWith('statsmodels.')) return undefined;
      const made = exact.stepOf(receiver.ref);
      const parts = made === undefined ? undefined : partsOf(exact, args);
      if (made === undefined || !parts) return null;
      return { step: { op: 'apart', receiver: made, name: method, ...parts }, urgency: 'needed' };
    },
  },
};
