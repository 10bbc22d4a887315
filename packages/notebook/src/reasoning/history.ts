// What the executed cells themselves tell: they are walked in order without checks, and the names they leave bound stand
// in for live facts that a snapshot does not have (recorded snapshots describe only the names of the target cell).
import { parseCell } from '@grus/python';
import type { Fact, Ref } from './facts.js';
import { CellInterpreter } from './interpreter/cell-interpreter.js';

import { isBuiltin } from './live/origin.js';
import { globalScope, type NameState, newRef, type Origin } from './state.js';

const nothing: Origin = {
  binding: (name) => builtinBinding(name),
  fact: (ref) => builtinFacts.get(ref),
  member: () => undefined,
  names: () => [],
};

const builtinRefs = new Map<string, Ref>();
const builtinFacts = new Map<Ref, Fact>();

function builtinBinding(name: string): NameState {
  if (!isBuiltin(name)) return { status: 'unknown' };
  let ref = builtinRefs.get(name);
  if (ref === undefined) {
    ref = newRef();
    builtinRefs.set(name, ref);
    builtinFacts.set(ref, { kind: 'library', name: `builtins.${name}` });
  }
  return { status: 'bound', ref };
}

export function historyOrigin(sources: readonly string[]): Origin {
  const interpreter = new CellInterpreter({
    origin: nothing,
    setting: { sources, version: () => null },
    budget: { steps: 60_000, ms: 1_500, depth: 3 },
  });
  sources.forEach((source, index) => {
    const cell = parseCell(source);
    interpreter.state.alive = true;
    for (const magic of cell.magics) if (magic.effects.names) interpreter.state.forgetEverything();
    try {
      interpreter.home = `cell ${index + 1}`;
      interpreter.execute(cell.body);
    } catch {
      interpreter.state.forgetEverything();
    }
  });
  const end = interpreter.state;
  return {
    binding(name) {
      const binding = end.own(globalScope, name) ?? { status: 'unknown' };
      return binding.status === 'bound' ? binding : { status: 'unknown' };
    },
    fact: (ref) => end.peek(ref),
    member: () => undefined,
    names: () => end.names(globalScope).keys(),
  };
}
