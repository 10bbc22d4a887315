// Reports as the tools that read them want them: SARIF by its public schema, JUnit by an XML parser, annotations and Markdown
// that nothing from a notebook can break out of.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { grus, notebook, python, scratch } from '../grus.js';

const schema = createRequire(import.meta.url).resolve(
  '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json',
);
const hostile = 'x\\n::error file=a::bogus | `` <b> ]]> %0A \\u202e\\x07 @team';
const folder = scratch();
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

/** As Jupyter saves it: a line of the file for each line of a cell. */
function saved(name: string, cells: readonly string[]): void {
  const document = {
    cells: cells.map((source) => ({
      cell_type: 'code',
      execution_count: null,
      metadata: {},
      outputs: [],
      source: source.split(/(?<=\n)/),
    })),
    metadata: {},
    nbformat: 4,
    nbformat_minor: 4,
  };
  writeFileSync(join(folder, name), `${JSON.stringify(document, null, 1)}\n`);
}

const crashing = 'total = 3\n\nprint(totl)\n';

describe('reports of several notebooks', () => {
  let stdout = '';
  beforeAll(async () => {
    saved('a b#.ipynb', ['x = 1', crashing, 'y = 2']);
    notebook(folder, ['z = 1', `raise ValueError("${hostile}")`], {}, 'b.ipynb');
    writeFileSync(join(folder, 'c.ipynb'), '{');
    const files = ['sarif=r.sarif', 'junit=r.xml', 'markdown=r.md', 'json=r.json', 'text=r.txt'];
    const formats = [...files, 'github'].flatMap((format) => ['--format', format]);
    ({ stdout } = await grus(['check', '.', ...formats], { cwd: folder }));
  });

  it('writes SARIF that the public schema accepts', () => {
    const script = `import json, sys
from jsonschema import Draft4Validator, FormatChecker
schema, log = (json.load(open(name, encoding="utf8")) for name in sys.argv[1:])
errors = list(Draft4Validator(schema, format_checker=FormatChecker()).iter_errors(log))
sys.exit("\\n".join(str(error) for error in errors) or 0)`;
    execFileSync(python, ['-c', script, schema, join(folder, 'r.sarif')]);
    const [{ tool, results, invocations }] = JSON.parse(read('r.sarif')).runs;
    expect(results).toHaveLength(2);
    expect(results[0]).toMatchObject({
      ruleId: 'names/undefined-name',
      locations: [
        {
          physicalLocation: { artifactLocation: { uri: 'a%20b%23.ipynb' } },
          logicalLocations: [{ name: 'cell 2' }],
        },
      ],
    });
    const rule = tool.driver.rules[results[0].ruleIndex];
    expect(rule).toMatchObject({
      id: 'names/undefined-name',
      shortDescription: { text: 'A name that nothing defines' },
    });
    expect(rule.help.markdown).toContain('## When it stays silent');
    expect(invocations[0].executionSuccessful).toBe(false);
    expect(JSON.stringify(invocations)).toContain('cell 3 was not judged');
  });

  it('points to the line of the file on which the offending line stands', () => {
    const [{ results }] = JSON.parse(read('r.sarif')).runs;
    const { startLine } = results[0].locations[0].physicalLocation.region;
    expect(read('a b#.ipynb').split('\n')[startLine - 1]).toContain('print(totl)');
    expect(stdout).toContain(`::error file=a b#.ipynb,line=${startLine},title=cell 2 would crash::NameError`);
  });

  it('keeps the fingerprint of a crash when cells and lines come before it', async () => {
    const before = JSON.parse(read('r.sarif')).runs[0].results[0];
    saved('a b#.ipynb', ['w = 0', 'x = 1', `# a comment\n${crashing}`]);
    const again = await grus(['check', 'a b#.ipynb', '--format', 'sarif'], { cwd: folder });
    const [after] = JSON.parse(again.stdout).runs[0].results;
    expect(after.partialFingerprints).toEqual(before.partialFingerprints);
    expect(after.locations[0].logicalLocations[0].name).toBe('cell 3');
  });

  it('writes JUnit with a case for each cell, and its time', () => {
    const script = `import json, sys, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
print(json.dumps({"root": root.attrib, "suites": [{"name": suite.get("name"), "cases": [
  [case.get("name"), float(case.get("time")) > 0, [child.tag for child in case], [child.get("message") for child in case]]
  for case in suite]} for suite in root]}))`;
    const told = JSON.parse(execFileSync(python, ['-c', script, join(folder, 'r.xml')]).toString());
    expect(told.root).toMatchObject({ tests: '6', failures: '2', errors: '1', skipped: '1' });
    expect(told.suites[0]).toMatchObject({
      name: 'a b#.ipynb',
      cases: [
        ['cell 1', true, [], []],
        ['cell 2', true, ['failure'], ["NameError: name 'totl' is not defined"]],
        ['cell 3', false, ['skipped'], ['cell 2 crashes before it']],
      ],
    });
    expect(told.suites[1].cases[1][3][0]).toContain('::error file=a::bogus | `` <b> ]]> %0A \\u202e\\x07');
    expect(told.suites[2].cases).toEqual([
      ['notebook', false, ['error'], [expect.stringContaining('is not JSON')]],
    ]);
  });

  it('writes annotations that stay one command each', () => {
    const lines = stdout.trim().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[1]).toMatch(
      /^::error file=b\.ipynb,line=\d+,title=cell 2 would crash::ValueError: x%0A::error/,
    );
    expect(lines[1]).toContain('%250A \\u202e\\x07');
    expect(lines[2]).toMatch(/^::warning file=c\.ipynb,title=could not be checked::/);
  });

  it('writes Markdown in which notebooks speak in code alone', () => {
    const text = read('r.md');
    expect(text).toContain('3 notebooks: 2 would crash, 1 could not be checked');
    expect(text).toContain("| ` a b#.ipynb ` | 2 | 3 | ` NameError: name 'totl' is not defined ` |");
    const outside = text.replace(/^(`{3,})text\n[\s\S]*?\n\1$/gm, '').replace(/(`+) .*? \1/g, '');
    expect(outside).not.toMatch(/bogus|<b>|@team|totl/);
    expect(read('r.txt')).toContain('✗ b.ipynb cell 2 would crash');
  });
});
