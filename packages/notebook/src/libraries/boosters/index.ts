// What Grus knows of XGBoost, LightGBM and CatBoost beyond what they share with scikit-learn's estimators.
import { planRefusal } from '../../reasoning/inquiry/planning.js';
import type { LibraryModel } from '../../reasoning/library.js';
import { flatNames } from '../../reasoning/names.js';

/** Makers of data and models: they judge what they are given when they are fitted. */
const makers = /^(xgboost\.XGB|lightgbm\.)\w+$/;
const pure =
  /^xgboost\.(XGB\w+|DMatrix|QuantileDMatrix)$|^lightgbm\.(LGBM\w+|Dataset|early_stopping|log_evaluation)$/;

export const library: LibraryModel = {
  name: 'boosters',
  publicName: flatNames('xgboost', 'lightgbm', 'catboost'),
  manners: { keepingArguments: ['xgboost', 'lightgbm', 'catboost'] },
  questions: {
    purity(name) {
      if (!/^(xgboost|lightgbm)\./.test(name)) return undefined;
      if (!pure.test(name)) return 'no';
      return makers.test(name) ? 'quiet' : 'askable';
    },
    classes: /^(xgboost|lightgbm)\./,
    // A booster is trained for one round: it judges its parameters and data before the first.
    planCall: ({ target, args }, callee, _context, exact) =>
      target !== null && /^(xgboost|lightgbm)\.train$/.test(target)
        ? planRefusal(exact, exact.named(callee.fact), args, 'trained')
        : undefined,
  },
};
