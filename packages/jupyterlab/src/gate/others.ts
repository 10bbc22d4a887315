// Extensions that run the cells on the server, for notebooks that several people share. Where one of them is at work, Grus
// leaves the running to it: of two providers JupyterLab would take the one that it happened to load last.
import { PageConfig } from '@jupyterlab/coreutils';

const serverExecutors = new Set(['@datalayer/jupyter-server-nbmodel', 'jupyter-server-nbmodel']);

export function cellsRunOnServer(): boolean {
  if (PageConfig.getOption('serverSideExecution') === 'true') return true;
  const listed = PageConfig.getOption('federated_extensions');
  const installed: unknown = listed === '' ? [] : JSON.parse(listed);
  return Array.isArray(installed) && installed.some(({ name }) => serverExecutors.has(name));
}
