// What Grus knows of Python's builtins and standard library.
import type { LibraryModel } from '../../reasoning/library.js';
import { builtins } from './builtins.js';
import { containers } from './containers.js';
import { iterators } from './iterators.js';
import { membersOf } from './members.js';
import { paths } from './paths.js';
import { questions } from './questions.js';
import { scalars } from './scalars.js';

export const library: LibraryModel = {
  name: 'python',
  transfers: [scalars, containers, iterators, builtins, paths],
  questions,
  members: membersOf,
  manners: {
    decidesWarnings: /^warnings\.\w+$/,
    keepingArguments:
      'builtins math re json os sys time datetime random collections itertools functools operator statistics string pathlib glob pickle copy warnings typing dataclasses enum textwrap pprint csv io shutil gc logging urllib zipfile tarfile'.split(
        ' ',
      ),
    writers: [
      'random.shuffle',
      'builtins.setattr',
      'builtins.delattr',
      'builtins.vars',
      'builtins.next',
      'operator.setitem',
      'operator.delitem',
      'heapq.heappush',
      'heapq.heappop',
      'pickle.load',
    ],
    writingNoFiles:
      'builtins math random time datetime re collections itertools warnings sys glob copy functools gc json operator statistics string textwrap heapq decimal'.split(
        ' ',
      ),
    exports: ['to'],
    lettingThrough:
      'builtins warnings zipfile tarfile sqlite3 tempfile threading multiprocessing concurrent io _io gzip time'.split(
        ' ',
      ),
    immutable:
      /^(re\.(Pattern|Match)|datetime\.\w+|decimal\.Decimal|fractions\.Fraction|pathlib\.(_local\.)?\w*Path|zoneinfo\.ZoneInfo|uuid\.UUID)$/,
    plainBases: /^(builtins\.(?!type$)|collections\.abc\.|abc\.ABC$)/,
    calledOtherwise: /^enum\./,
    transparent: ['abc.abstractmethod', 'typing.override', 'typing.final'],
    holders: /^(types|weakref)\.\w+$|^collections\.(ChainMap|UserDict|UserList|OrderedDict)$/,
    pickers:
      /^(itertools|operator)\.\w+$|^copy\.(copy|replace)$|^functools\.reduce$|^random\.(choices?|sample)$|^collections\.deque$/,
  },
};
