// Questions of Grus are no work of the kernel's: JupyterLab is told not to show it busy while it answers one.
import { PageConfig } from '@jupyterlab/coreutils';

const option = 'untracked_message_types';

export function leaveUntracked(messageType: string): void {
  const listed: unknown = JSON.parse(PageConfig.getOption(option) || '[]');
  const types = Array.isArray(listed) ? listed : [];
  PageConfig.setOption(option, JSON.stringify([...new Set([...types, messageType])]));
}
