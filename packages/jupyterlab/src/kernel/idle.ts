// Whether the main shell of a notebook's kernel is free, as the status messages tell.
import type { Kernel as Lab } from '@jupyterlab/services';

export function isIdle(connection: Lab.IKernelConnection): boolean {
  return connection.status === 'idle';
}

/** Resolves with true as soon as the kernel is idle, with false after `ms` or when the connection ends. */
export function whenIdle(connection: Lab.IKernelConnection, ms: number): Promise<boolean> {
  if (isIdle(connection)) return Promise.resolve(true);
  return new Promise((resolve) => {
    const finish = (idle: boolean) => {
      clearTimeout(timer);
      connection.statusChanged.disconnect(look);
      connection.disposed.disconnect(gone);
      resolve(idle);
    };
    const look = () => {
      if (isIdle(connection)) finish(true);
    };
    const gone = () => finish(false);
    const timer = setTimeout(() => finish(false), ms);
    connection.statusChanged.connect(look);
    connection.disposed.connect(gone);
  });
}
