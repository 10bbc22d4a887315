// The first round trip: install, ask, and the answers a cell's names need.
import { expect, test } from 'vitest';
import { emptyRequest, startKernel, takeSnapshot } from '../../src/index.js';
import { python } from '../support/python.js';

test('one request answers names, paths, imports, files and syntax', async () => {
  const kernel = await startKernel({ python });
  try {
    await kernel.execute(
      'import math\ndef area(r, *, pi=math.pi):\n    return pi * helper(r)\nrow = {"a": [1, 2]}',
    );
    const { snapshot } = await takeSnapshot(kernel, {
      ...emptyRequest,
      names: ['area', 'row', 'print', 'missing'],
      paths: ['math.sqrtt', 'math.pi'],
      imports: [{ module: 'no_such_module', names: [] }],
      files: ['no-such-file.csv'],
      compile: 'x = (1',
    });
    expect(snapshot.absent).toEqual(['missing', 'helper']);
    expect(Object.keys(snapshot.names)).toEqual(['area', 'row']);
    expect(snapshot.paths['math.sqrtt']).toMatchObject({ status: 'absent', failed_at: 'sqrtt' });
    expect(snapshot.modules['no_such_module']?.status).toBe('absent');
    expect(snapshot.files['no-such-file.csv']?.status).toBe('absent');
    expect(snapshot.compile).toMatchObject({ status: 'error', line: 1 });
  } finally {
    await kernel.close();
  }
});
