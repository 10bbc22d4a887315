// What Grus knows of Polars. Nothing is asked of it in a copy of the kernel: its threads are not in the copy, and a question
// would wait for them in vain. The facts of frames and expressions answer.
import type { LibraryModel } from '../../reasoning/library.js';
import { flatNames } from '../../reasoning/names.js';
import { expressions } from './expressions.js';
import { frames } from './frames.js';
import { kinds } from './kinds.js';
import { live } from './live.js';
import { successors } from './successors.js';

export const library: LibraryModel = {
  name: 'polars',
  successors,
  kinds,
  transfers: [expressions, frames],
  live,
  publicName: flatNames('polars'),
  manners: {
    keepingArguments: ['polars'],
    inventingNothing: /^polars\.(DataFrame|LazyFrame|Series|Expr)$/,
    lettingThrough: ['polars'],
    exports: 'to_dict to_dicts to_list to_numpy to_pandas to_series to_frame to_dummies to_struct'.split(' '),
  },
  questions: { purity: (name) => (name.startsWith('polars.') ? 'no' : undefined) },
};
