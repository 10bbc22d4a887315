// The files of a new check: its source with the sections of its page to be filled in, and a case that fails until it is
// written.
const words = (name) => name.split('-');
/** The files to write, by path. */
export function newCheck(id) {
  if (!/^[a-z]+(-[a-z]+)*\/[a-z]+(-[a-z0-9]+)*$/.test(id))
    throw new Error(`"${id}" is no id of a check: it is family/bad-pattern, as in columns/missing-column`);
  return {
    [`packages/notebook/src/checks/${id}.ts`]: sourceOf(id, id.split('/')[1]),
    [`packages/notebook/test/checks/cases/${id}.ts`]: casesOf(id),
  };
}

function sourceOf(id, name) {
  const title = words(name).join(' ');
  return `/**
 * # ${title[0].toUpperCase()}${title.slice(1)}
 *
 * ## What
 * What the cell does, in one sentence.
 *
 * ## Why it crashes
 * Which exception is raised by whom.
 *
 * ## Example
 * State: \`x = 1\`. Cell: \`x()\`.
 *
 * ## Fix
 * What to write in its place.
 *
 * ## When it stays silent
 * Where the proof is missing.
 */
import { defineCheck } from '../define-check.js';

export default defineCheck({
  id: '${id}',
  title: '${title[0].toUpperCase()}${title.slice(1)}',
  rung: 'contracts',
  libraries: [],
  on: {
    call(event, context) {
      if (event.target !== 'library.function') return;
      context.report({
        exception: 'ValueError',
        message: 'as Python prints it',
        evidence: [{ fact: 'what is known of the operand', source: context.source(event.callee) }],
        explanation: \`\\\`\${context.text(event.node)}\\\` raises ValueError: why.\`,
        remedy: 'What to do.',
      });
    },
  },
});
`;
}

function casesOf(id) {
  return `// ${id}: crashes, and healthy cells that differ by as little as possible. All of them are executed.
import type { CheckCase } from '../../libraries/cases/case.js';

export const cases: readonly CheckCase[] = [
  {
    check: '${id}',
    setup: '',
    crash: 'raise NotImplementedError("write the cell that crashes")',
    raises: 'ValueError',
    line: 1,
    healthy: ['raise NotImplementedError("write a twin that runs, and several that look alike")'],
  },
];
`;
}
