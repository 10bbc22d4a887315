// What Grus knows of NumPy.
import type { LibraryModel } from '../../reasoning/library.js';
import { arrays } from './arrays.js';
import { numpyFunctions } from './functions.js';
import { joining } from './joins.js';
import { kinds } from './kinds.js';
import { live, liveOther } from './live.js';
import { numpyName } from './names.js';
import { questions } from './questions.js';
import { successors } from './successors.js';

const members =
  'T all any argmax argmin argpartition argsort astype base byteswap choose clip compress conj conjugate copy ctypes cumprod cumsum data device diagonal dot dtype dump dumps fill flags flat flatten getfield imag item itemset itemsize mT max mean min nbytes ndim newbyteorder nonzero partition prod ptp put ravel real repeat reshape resize round searchsorted setfield setflags shape size sort squeeze std strides sum swapaxes take to_device tobytes tofile tolist tostring trace transpose var view'.split(
    ' ',
  );

export const library: LibraryModel = {
  name: 'numpy',
  successors,
  kinds,
  transfers: [arrays, numpyFunctions, joining('numpy', 'ndarray')],
  live,
  liveOther,
  questions,
  members: (fact) => (fact.class === 'numpy.ndarray' ? members : undefined),
  publicName: numpyName,
  manners: {
    keepingArguments: ['numpy'],
    decidesWarnings: /^numpy\.(seterr\w*|errstate)$/,
    writers: [
      'numpy.random.shuffle',
      'numpy.put',
      'numpy.copyto',
      'numpy.place',
      'numpy.putmask',
      'numpy.fill_diagonal',
    ],
    writingNoFiles: ['numpy'],
    lettingThrough: ['numpy'],
  },
};
