// Which arguments of a plot must have one entry for each point of another. Each was tried with one entry too few, and raised
// ValueError with what is written here (Matplotlib 3.11).

interface Beside {
  readonly position: number | null;
  readonly name: string;
  readonly message: (entries: number, points: number) => string;
  /** Lengths that mean something else: three or four numbers are one colour. */
  readonly apart?: readonly number[];
}

interface Need {
  /** The argument that the points are counted in. */
  readonly points: string;
  readonly beside: readonly Beside[];
}

const shaped = (name: string, axis: string): Beside['message'] => {
  return (entries, points) =>
    `'${name}' (shape: (${entries},)) must be a scalar or a 1D or (2, n) array-like whose shape matches '${axis}' (shape: (${points},))`;
};
const unequal = (name: string): Beside['message'] => {
  return (entries, points) => `'x' has size ${points}, but '${name}' has an unequal size of ${entries}`;
};

const needs: Readonly<Record<string, Need>> = {
  scatter: {
    points: 'x',
    beside: [
      {
        position: 3,
        name: 'c',
        message: (entries, points) =>
          `'c' argument has ${entries} elements, which is inconsistent with 'x' and 'y' with size ${points}.`,
        apart: [3, 4],
      },
      {
        position: 2,
        name: 's',
        message: (entries, points) =>
          `s (size ${entries}) cannot be broadcast to match x and y (size ${points})`,
      },
    ],
  },
  pie: {
    points: 'x',
    beside: [
      { position: 2, name: 'labels', message: (entries) => `'labels' must be of length 'x', not ${entries}` },
      {
        position: 1,
        name: 'explode',
        message: (entries) => `'explode' must be of length 'x', not ${entries}`,
      },
    ],
  },
  errorbar: {
    points: 'x',
    beside: [
      { position: 1, name: 'y', message: () => "'x' and 'y' must have the same size" },
      { position: 2, name: 'yerr', message: shaped('yerr', 'y') },
      { position: 3, name: 'xerr', message: shaped('xerr', 'x') },
    ],
  },
  fill_between: {
    points: 'x',
    beside: [
      { position: 1, name: 'y1', message: unequal('y1') },
      { position: 2, name: 'y2', message: unequal('y2') },
    ],
  },
  bar: {
    points: 'x',
    beside: [
      { position: null, name: 'yerr', message: shaped('yerr', 'y') },
      { position: null, name: 'tick_label', message: () => 'operands could not be broadcast together …' },
    ],
  },
  hist: {
    points: 'x',
    beside: [{ position: null, name: 'weights', message: () => 'weights should have the same shape as x' }],
  },
  hist2d: {
    points: 'x',
    beside: [{ position: 1, name: 'y', message: () => 'x and y must have the same length.' }],
  },
  xticks: {
    points: 'ticks',
    beside: [
      {
        position: 1,
        name: 'labels',
        message: (entries, points) =>
          `The number of FixedLocator locations (${points}), usually from a call to set_ticks, does not match the number of labels (${entries}).`,
      },
    ],
  },
};

export function needOf(name: string): Need | undefined {
  return Object.hasOwn(needs, name) ? needs[name] : undefined;
}
