// Which files a question may read: small ones that the cell names plainly and cannot have written itself.
import type { Interpreter } from '../interpreter/interpreter.js';
import type { CallSite } from '../library.js';

/** A file by its plain name, and nothing was written since the cell began. */
export function namesOwnFile(interpreter: Interpreter, site: CallSite): boolean {
  const [first] = site.args.positional;
  const name = first && interpreter.literal(first.ref);
  const { files, directory } = interpreter.state.effects;
  const isPlain = site.target === 'glob.glob' ? /^[^\n]+$/ : /^(?![a-z]\w+:)[^\n*]+$/i;
  return typeof name === 'string' && isPlain.test(name) && !files && !directory;
}
