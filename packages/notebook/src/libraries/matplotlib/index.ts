// matplotlib: the grid of axes that `subplots` makes.

import { argument, flag } from '../../reasoning/arguments.js';
import type { Context } from '../../reasoning/context.js';
import type { Ref, Shape } from '../../reasoning/facts.js';
import type { CallSite, CallTransfer, LibraryModel, Transfers } from '../../reasoning/library.js';
import { putTuple } from '../../reasoning/plain-objects.js';

function size(context: Context, site: CallSite, position: number, name: string): number | undefined {
  const given = argument(site, position, name);
  const value = given ? context.literal(given.ref) : site.args.complete ? 1 : undefined;
  return typeof value === 'number' ? value : undefined;
}

/** One axes, a row of them or a grid, as `squeeze` leaves it; undefined when the sizes are not known. */
function gridShape(context: Context, site: CallSite, offset: number): Shape | undefined {
  const rows = size(context, site, offset, 'nrows');
  const columns = size(context, site, offset + 1, 'ncols');
  const squeezes = flag(context, site, null, 'squeeze', true);
  if (rows === undefined || columns === undefined || squeezes === undefined) return undefined;
  return squeezes ? [rows, columns].filter((count) => count !== 1) : [rows, columns];
}

function axes(context: Context): Ref {
  return context.put({
    kind: 'instance',
    class: 'matplotlib.axes.Axes',
    callable: false,
    iterable: false,
    subscriptable: false,
  });
}

function grid(context: Context, shape: Shape | undefined): Ref {
  if (!shape) return context.unknown();
  if (shape.length === 0) return axes(context);
  return context.put({
    kind: 'ndarray',
    class: 'numpy.ndarray',
    dtype: 'object',
    shape,
    element: axes(context),
  });
}

const subplots: CallTransfer = (site, context) => {
  const figure = context.put({ kind: 'instance', class: 'matplotlib.figure.Figure', callable: false });
  const items = [figure, grid(context, gridShape(context, site, 0))];
  return putTuple(context, items);
};

const transfers: Transfers = {
  functions: { 'matplotlib.pyplot.subplots': subplots },
  methods: {
    instance: {
      subplots: (site, context) =>
        site.receiver!.fact.class === 'matplotlib.figure.Figure'
          ? grid(context, gridShape(context, site, 0))
          : undefined,
    },
  },
};

export const library: LibraryModel = {
  name: 'matplotlib',
  transfers: [transfers],
  manners: {
    keepingArguments: ['matplotlib'],
    writingNoFiles: ['matplotlib'],
    lettingThrough: ['matplotlib'],
  },
};
