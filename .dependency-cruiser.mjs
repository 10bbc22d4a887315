// Which way the arrows point: no file imports itself round a circle, and each package imports only those beneath it.
const beneath = {
  core: [],
  python: ['core'],
  kernel: ['core', 'python'],
  notebook: ['core', 'python', 'kernel'],
  training: ['core'],
  llm: ['core', 'python', 'kernel', 'notebook', 'training'],
  server: ['core', 'training'],
  bench: ['core', 'python', 'kernel', 'notebook', 'training', 'llm', 'server'],
  cli: ['core', 'python', 'kernel', 'notebook', 'training', 'llm', 'server', 'bench'],
  jupyterlab: ['core', 'python', 'kernel', 'notebook', 'llm'],
};

export default {
  forbidden: [
    {
      name: 'no-circle',
      comment: 'Put what both sides need into a file beneath both.',
      severity: 'error',
      from: { path: '^packages/' },
      to: { circular: true },
    },
    {
      name: 'reasoning-imports-no-library',
      comment:
        'What a library needs of its own belongs into its model: a transfer, a rule or a hook of LibraryModel.',
      severity: 'error',
      from: { path: '^packages/notebook/src/reasoning/' },
      to: { path: '^packages/notebook/src/(libraries|checks)/' },
    },
    {
      name: 'library-imports-nothing-of-the-interpreter',
      comment: 'A model of a library is handed what it may use: reasoning/context.ts.',
      severity: 'error',
      from: { path: '^packages/notebook/src/libraries/' },
      to: { path: '^packages/notebook/src/(reasoning/interpreter|checks)/' },
    },
    ...Object.entries(beneath).map(([name, allowed]) => ({
      name: `${name}-imports-only-what-is-beneath-it`,
      severity: 'error',
      from: { path: `^packages/${name}/src/` },
      to: { path: '^packages/[^/]+/src/', pathNot: `^packages/(${[name, ...allowed].join('|')})/src/` },
    })),
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.base.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules/(?!@grus)' },
    exclude: { path: '/dist/' },
    enhancedResolveOptions: {
      conditionNames: ['source', 'node', 'import'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.js', '.mjs', '.json'],
    },
  },
};
