// What Grus knows of pandas.

import type { LibraryModel, Transfers } from '../../reasoning/library.js';
import { includesLiteral } from '../../reasoning/literals.js';
import { flatNames } from '../../reasoning/names.js';
import { assignment } from './assignment.js';
import { frameMethods } from './frame-methods.js';
import { pandasFunctions } from './functions.js';
import { kinds, type PandasIndex } from './kinds.js';
import { live } from './live.js';
import { membersOf } from './members.js';
import { questions } from './questions.js';
import { selection } from './selection.js';
import { seriesMethods } from './series-methods.js';
import { successors } from './successors.js';

const containment: Transfers = {
  contains: {
    index: (fact, item) =>
      (fact as PandasIndex).labels && includesLiteral((fact as PandasIndex).labels!, item),
  },
};

export const library: LibraryModel = {
  name: 'pandas',
  successors,
  kinds,
  transfers: [selection, assignment, frameMethods, seriesMethods, pandasFunctions, containment],
  live,
  questions,
  members: membersOf,
  publicName: flatNames('pandas'),
  manners: {
    keepingArguments: ['pandas'],
    writingNoFiles: ['pandas'],
    lettingThrough: ['pandas'],
    exports:
      'to_numpy to_list to_dict to_frame to_datetime to_numeric to_string to_timedelta to_period to_timestamp to_flat_index'.split(
        ' ',
      ),
    immutable:
      /^pandas\.(\w+\.)*(Timestamp|Timedelta|Period|Interval|DateOffset|\w*GroupBy|Rolling|Expanding|\w*Resampler)$/,
    changesSettings({ target, args }, context) {
      if (target === null || !/^pandas\.(set_option|options\.\w+)$/.test(target)) return false;
      const option = args.positional[0] && context.literal(args.positional[0].ref);
      return !(typeof option === 'string' && /^(display|plotting|styler)\./.test(option));
    },
  },
};
