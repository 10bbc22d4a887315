// Public names of torch and torchvision: what a layer or function is imported from.
import { type Naming, tail } from '../../reasoning/names.js';

const homes = [
  'torch.nn.functional',
  'torch.nn',
  'torch.optim',
  'torch.utils.data',
  'torchvision.transforms',
  'torchvision.datasets',
  'torchvision.models',
];

export const torchName: Naming = (parts) => {
  if (parts[0] !== 'torch' && parts[0] !== 'torchvision') return undefined;
  const joined = parts.join('.');
  const home = homes.find((prefix) => joined.startsWith(`${prefix}.`));
  if (home) return `${home}.${tail(parts, home.split('.').length)}`;
  return parts[1] === 'functional' || parts[1] === 'tensor' ? `torch.${parts.at(-1)}` : joined;
};
