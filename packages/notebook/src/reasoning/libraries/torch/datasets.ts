// Datasets of torchvision: their lists of files.
import type { AttributeTransfer, Library } from '../library.js';

/** `ImageFolder.imgs`: a list of pairs of file name and class number. */
const samples: AttributeTransfer = (receiver, interpreter) => {
  const { fact } = receiver;
  if (!/\.(ImageFolder|DatasetFolder)$/.test(fact.class ?? '')) return undefined;
  const member = fact.path === undefined ? undefined : interpreter.state.member(`${fact.path}.imgs`);
  const length =
    member?.ref === undefined ? fact.length : (interpreter.look(member.ref).length ?? fact.length);
  const file = interpreter.put({ kind: 'scalar', type: 'str', class: 'builtins.str' });
  const label = interpreter.put({ kind: 'scalar', type: 'int', class: 'builtins.int' });
  const element = interpreter.put({
    kind: 'tuple',
    class: 'builtins.tuple',
    items: [file, label],
    length: 2,
  });
  return interpreter.put({
    kind: 'list',
    class: 'builtins.list',
    element,
    ...(length !== undefined && { length }),
  });
};

export const torchDatasets: Library = { attributes: { loader: { imgs: samples, samples } } };
