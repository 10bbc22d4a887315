// Names that Keras once had or that people expect of it, and what to use in their place.
import type { Successors } from '../../reasoning/library.js';

export const successors: Successors = {
  ofKinds: {
    'keras-model': {
      predict_classes: '`(model.predict(x) > 0.5).astype("int32")` or `model.predict(x).argmax(axis=-1)`',
      predict_proba: '`model.predict(x)`',
      fit_generator: '`model.fit`',
      predict_generator: '`model.predict`',
      evaluate_generator: '`model.evaluate`',
    },
  },
};
