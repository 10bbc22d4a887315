// The second witness where no kernel can be asked: tree-sitter's grammar of Python, whose error nodes show what it could
// not read. The two WebAssembly files are handed in, so that the same code serves Node and a browser.
import { Language, Parser } from 'web-tree-sitter';
import type { ParsedCell } from '../cell/parse.js';
import type { SyntaxJudgement, SyntaxWitness } from './witness.js';

export interface TreeSitterFiles {
  /** Bytes of `web-tree-sitter.wasm`. */
  readonly runtime: Uint8Array;
  /** Bytes of `tree-sitter-python.wasm`. */
  readonly grammar: Uint8Array;
}

export async function createTreeSitterWitness(files: TreeSitterFiles): Promise<SyntaxWitness> {
  await Parser.init({ wasmBinary: files.runtime });
  const parser = new Parser();
  parser.setLanguage(await Language.load(files.grammar));
  return {
    name: 'tree-sitter',
    authority: false,
    judge(cell: ParsedCell): SyntaxJudgement {
      const tree = parser.parse(cell.python);
      if (!tree) return { verdict: 'unknown', because: 'tree-sitter gave no tree' };
      const broken = tree.rootNode.hasError;
      tree.delete();
      return { verdict: broken ? 'invalid' : 'valid' };
    },
  };
}
