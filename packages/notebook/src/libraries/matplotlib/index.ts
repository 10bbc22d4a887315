// matplotlib: the grid of axes that `subplots` makes.

import { argument, flag } from '../../reasoning/arguments.js';
import type { Ref, Shape } from '../../reasoning/facts.js';
import type { Interpreter } from '../../reasoning/interpreter/interpreter.js';
import type { CallSite, CallTransfer, Library } from '../../reasoning/library.js';

function size(interpreter: Interpreter, site: CallSite, position: number, name: string): number | undefined {
  const given = argument(site, position, name);
  const value = given ? interpreter.literal(given.ref) : site.args.complete ? 1 : undefined;
  return typeof value === 'number' ? value : undefined;
}

/** One axes, a row of them or a grid, as `squeeze` leaves it; undefined when the sizes are not known. */
function gridShape(interpreter: Interpreter, site: CallSite, offset: number): Shape | undefined {
  const rows = size(interpreter, site, offset, 'nrows');
  const columns = size(interpreter, site, offset + 1, 'ncols');
  const squeezes = flag(interpreter, site, null, 'squeeze', true);
  if (rows === undefined || columns === undefined || squeezes === undefined) return undefined;
  return squeezes ? [rows, columns].filter((count) => count !== 1) : [rows, columns];
}

function axes(interpreter: Interpreter): Ref {
  return interpreter.put({
    kind: 'instance',
    class: 'matplotlib.axes.Axes',
    callable: false,
    iterable: false,
    subscriptable: false,
  });
}

function grid(interpreter: Interpreter, shape: Shape | undefined): Ref {
  if (!shape) return interpreter.unknown();
  if (shape.length === 0) return axes(interpreter);
  return interpreter.put({
    kind: 'ndarray',
    class: 'numpy.ndarray',
    dtype: 'object',
    shape,
    element: axes(interpreter),
  });
}

const subplots: CallTransfer = (site, interpreter) => {
  const figure = interpreter.put({ kind: 'instance', class: 'matplotlib.figure.Figure', callable: false });
  const items = [figure, grid(interpreter, gridShape(interpreter, site, 0))];
  return interpreter.put({ kind: 'tuple', class: 'builtins.tuple', items, length: 2 });
};

export const matplotlib: Library = {
  functions: { 'matplotlib.pyplot.subplots': subplots },
  methods: {
    instance: {
      subplots: (site, interpreter) =>
        site.receiver!.fact.class === 'matplotlib.figure.Figure'
          ? grid(interpreter, gridShape(interpreter, site, 0))
          : undefined,
    },
  },
};
