// What `grus doctor` found, for people.
import { visibleIn } from '@grus/core';
import type { Examination } from '../jobs/examination.js';
import type { Style } from '../terminal/style.js';
import { labelled } from '../terminal/wrap.js';

export function renderDoctor(examination: Examination, style: Style): string {
  const { interpreters, kernels, notebook, isolation, libraries, settings, model, ...grus } =
    visibleIn(examination);
  const section = (title: string, lines: readonly string[]) => [
    style.bold(title),
    ...(lines.length === 0 ? ['  none found'] : lines.map((line) => labelled('  ', line, style.width))),
    '',
  ];
  const mark = (good: boolean) => (good ? style.green('✓') : style.red('✗'));
  const named = notebook.kernelspec === null ? '' : ` (it names the kernel ${notebook.kernelspec})`;
  return [
    `Grus ${grus.version} with Node ${grus.node} on ${grus.platform}`,
    '',
    ...section(`${notebook.path ?? 'A notebook of this folder'} gets${named}`, [
      notebook.interpreter
        ? `${mark(notebook.interpreter.certain)} ${notebook.interpreter.python ?? notebook.interpreter.kernel}: ${notebook.interpreter.why}`
        : `${mark(false)} no kernel: ${notebook.problem}`,
    ]),
    ...section(
      'Interpreters',
      interpreters.map(
        ({ python, version, ipykernel }) =>
          `${mark(ipykernel)} ${python} (${version === null ? 'does not start' : `Python ${version}${ipykernel ? '' : ', no ipykernel'}`})`,
      ),
    ),
    ...section(
      'Kernels',
      kernels.map(({ name, python, language }) => `${name}: ${python ?? language}`),
    ),
    ...section(
      'Isolation of copies, strongest first',
      isolation.map(
        ({ strength, available, missing }) =>
          `${mark(available)} ${strength}${missing === null ? '' : `: ${missing}`}`,
      ),
    ),
    ...section(
      'Libraries of that Python',
      Object.entries(libraries).map(([name, version]) => `${name} ${version}`),
    ),
    ...section('Settings of the project', [
      settings.problem === null
        ? (settings.file ?? 'none: neither grus.toml nor [tool.grus] in pyproject.toml')
        : `${mark(false)} ${settings.problem}`,
      ...Object.entries(settings.values).map(([name, value]) => `${name} = ${JSON.stringify(value)}`),
    ]),
    ...section('Model', [
      model === null
        ? 'none: nothing leaves this machine'
        : `${model.model}, told "${model.redaction}", at most ${model.votes} times a check and $${model.usd_per_day} a day${model.key === false ? '; its key is missing' : ''}`,
    ]),
  ]
    .join('\n')
    .trimEnd();
}
