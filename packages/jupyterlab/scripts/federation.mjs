// The federated module as JupyterLab expects it: `window._JUPYTERLAB[name]` with `init`, which is handed the packages that
// the page shares, and `get`, which makes the modules. The bundle is evaluated once its shared packages are there.

/** Text of the script that the page loads. */
export function container({ name, shared, source, style }) {
  return `(() => {
const evaluate = (require, module, exports) => {
${source}
};
(${register})(${JSON.stringify(name)}, ${JSON.stringify(shared)}, evaluate, ${JSON.stringify(style)});
})();
`;
}

function register(name, shared, evaluate, style) {
  let scope = {};
  const newest = (versions) =>
    Object.keys(versions).sort((a, b) => b.localeCompare(a, undefined, { numeric: true }))[0];
  const load = async (wanted) => {
    const versions = scope[wanted];
    if (versions === undefined) throw new Error(`${name}: this JupyterLab does not share ${wanted}`);
    const loaded = Object.keys(versions).find((version) => versions[version].loaded);
    return [wanted, (await versions[loaded ?? newest(versions)].get())()];
  };
  const bundled = async () => {
    const modules = Object.fromEntries(await Promise.all(shared.map(load)));
    const module = { exports: {} };
    evaluate((wanted) => modules[wanted], module, module.exports);
    return () => module.exports;
  };
  // The default executor is switched off in our favour: if the bundle cannot be evaluated, cells must still run.
  const extension = async () => {
    try {
      return await bundled();
    } catch (error) {
      console.error(`${name} could not be loaded; cells run as without it.`, error);
      const [, { INotebookCellExecutor, runCell }] = await load('@jupyterlab/notebook');
      const activate = () => Object.freeze({ runCell });
      const executor = { id: `${name}:executor`, autoStart: true, provides: INotebookCellExecutor, activate };
      return () => ({ __esModule: true, default: [executor] });
    }
  };
  const styles = async () => () => {
    const element = document.createElement('style');
    element.dataset.from = name;
    element.textContent = style;
    document.head.append(element);
    return {};
  };
  window._JUPYTERLAB ??= {};
  window._JUPYTERLAB[name] = {
    init: (shareScope) => {
      scope = shareScope;
    },
    get: (module) => (module === './style' ? styles() : extension()),
  };
}
