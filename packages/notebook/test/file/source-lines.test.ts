// Where the lines of cells stand in a file, however it was written.
import { describe, expect, it } from 'vitest';
import { sourceLines } from '../../src/file/source-lines.js';

/** What stands in the file on the lines that were found. */
function found(text: string): string[][] {
  const lines = text.split('\n');
  return sourceLines(text).map((numbers) => numbers.map((number) => lines[number - 1]!.trim()));
}

const document = (cells: unknown[]) => ({ cells, metadata: { a: '{"cells": [1]}' }, nbformat: 4 });

describe('the lines of a notebook file', () => {
  it('are one for each line of a cell that Jupyter saved', () => {
    const text = JSON.stringify(
      document([
        { cell_type: 'markdown', source: ['# title'] },
        { outputs: [{ text: ['x\n', ']}'] }], source: ['a = "[{\\""\n', '\n', 'b = 2'], cell_type: 'code' },
        { cell_type: 'code', source: [] },
      ]),
      null,
      1,
    );
    expect(found(text)).toEqual([['"# title"'], ['"a = \\"[{\\\\\\"\\"\\n",', '"\\n",', '"b = 2"'], []]);
  });

  it('are the same line where the source is one text, or the file one line', () => {
    const cells = [{ source: 'a = 1\nb = 2\n' }, { source: ['c = ', '3\nd = 4\n', 'e = 5'] }];
    expect(sourceLines(JSON.stringify(document(cells)))).toEqual([
      [1, 1],
      [1, 1, 1],
    ]);
    expect(sourceLines(JSON.stringify(document(cells), null, 2)).map((lines) => new Set(lines).size)).toEqual(
      [1, 3],
    );
  });

  it('are none where there are no cells', () => {
    expect(sourceLines('[]')).toEqual([]);
    expect(sourceLines('{"cells": {}}')).toEqual([]);
  });
});
