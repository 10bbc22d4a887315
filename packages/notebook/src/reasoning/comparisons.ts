// Operators that compare element by element, as the nodes of Python's syntax are called.

export const comparisons: ReadonlySet<string> = new Set(['Eq', 'NotEq', 'Lt', 'LtE', 'Gt', 'GtE']);
