// What Grus knows of statsmodels: models are made of data and judge it when they are made or fitted, and the library itself
// is asked what it refuses.
import { words } from '../../reasoning/inquiry/planning.js';
import type { LibraryModel } from '../../reasoning/library.js';
import { namesBelow } from '../../reasoning/names.js';
import { planFit } from './fits.js';
import { isFormulaMaker, planFormula } from './formulas.js';

/** Drawing, files, the network, other programs, chance. All else gives something new and leaves its arguments alone. */
const notAsked =
  /^statsmodels\.(graphics|datasets|iolib|sandbox|imputation|formula)\.|\.(webdoc|test|show_versions|load\w*|get_rdataset|x13_\w+|\w*plot\w*|from_formula)$/;

export const library: LibraryModel = {
  name: 'statsmodels',
  publicName: namesBelow('statsmodels'),
  manners: { keepingArguments: ['statsmodels'], writingNoFiles: ['statsmodels'] },
  questions: {
    purity(name) {
      if (!name.startsWith('statsmodels.')) return undefined;
      return notAsked.test(name) ? 'no' : 'askable';
    },
    // By name alone, whoever has them: none of these is a method that changes something elsewhere.
    askableMethods: words(
      `fit_regularized get_prediction get_forecast forecast conf_int summary summary2 wald_test wald_test_terms f_test t_test
      t_test_pairwise predict get_robustcov_results get_influence outlier_test summary_frame cov_params compare_f_test
      compare_lr_test compare_lm_test get_margeff pred_table impulse_responses select_order test_causality`,
    ),
    classes: /^statsmodels\./,
    planCall(site, callee, context, exact) {
      if (site.method === 'fit') return planFit(site, context, exact);
      return isFormulaMaker(site.target) ? planFormula(site, callee, context, exact) : undefined;
    },
  },
};
