// Which files a question may read: small ones that the cell names plainly and cannot have written itself.
import type { Context } from '../context.js';
import type { CallSite } from '../library.js';

/** A file by its plain name, and nothing was written since the cell began. */
export function namesReadableFile(context: Context, site: CallSite): boolean {
  const [first] = site.args.positional;
  const name = first && context.literal(first.ref);
  const { files, directory } = context.state.effects;
  const isPlain = site.target === 'glob.glob' ? /^[^\n]+$/ : /^(?![a-z]\w+:)[^\n*]+$/i;
  return typeof name === 'string' && isPlain.test(name) && !files && !directory;
}
