// What the readers of live objects share.
import type { ObjectFact } from '@grus/kernel/snapshot';
import type { Fact, Layer, Ref } from '../facts.js';
import { publicName } from '../names.js';
import { liveMemory } from '../state.js';

export interface ObjectContext {
  /** Dotted path at which the kernel holds the object. */
  readonly path: string | undefined;
  refOf(key: string): Ref;
  put(fact: Fact): Ref;
  object(key: string): ObjectFact | undefined;
}

/** Class names of builtins come without a module. */
export function publicClass(name: string): string {
  return name.includes('.') ? publicName(name) : `builtins.${name}`;
}

export function commonOf(object: ObjectFact, context: ObjectContext) {
  const { structural = {}, representation = {} } = object;
  return {
    class: publicClass(object.class),
    ...(object.bases && { bases: object.bases.map(publicClass) }),
    memory: liveMemory,
    ...(context.path !== undefined && { source: `kernel: ${context.path}`, path: context.path }),
    ...(structural.attributes && {
      attributes: tableOf(structural.attributes, context),
    }),
    ...(structural.members && { members: structural.members }),
    ...(structural.dynamic_attributes !== undefined && { dynamic: structural.dynamic_attributes }),
    ...pick(representation, 'callable', 'iterable', 'subscriptable', 'hashable', 'length'),
    ...(representation.signature && { signature: representation.signature }),
  };
}

export type CommonFields = ReturnType<typeof commonOf>;

export function pick<T extends object, K extends keyof T>(from: T, ...keys: K[]): Partial<Pick<T, K>> {
  const picked: Partial<Pick<T, K>> = {};
  for (const key of keys) if (from[key] !== undefined) picked[key] = from[key];
  return picked;
}

/** Public name of a module, class or function; a decorated function goes by the name of what it wraps. */
export function qualifiedName(object: ObjectFact, context: ObjectContext): string {
  const wrapped = object.structural?.related?.['wrapped'];
  const inner = wrapped === undefined ? undefined : context.object(wrapped);
  if (inner) return qualifiedName(inner, context);
  const name = object.representation?.name;
  if (typeof name !== 'string') return publicName(context.path ?? '?');
  const module = object.structural?.module;
  const isWhole =
    module === undefined ||
    object.kind === 'class' ||
    object.kind === 'module' ||
    name.startsWith(`${module}.`);
  return isWhole ? publicClassName(name, object) : publicName(`${module}.${name}`);
}

function publicClassName(name: string, object: ObjectFact): string {
  return object.kind === 'class' && !name.includes('.') ? `builtins.${name}` : publicName(name);
}

/** Objects by name. */
export function tableOf(
  keys: Readonly<Record<string, string>>,
  context: ObjectContext,
): ReadonlyMap<string, Ref> {
  return new Map(Object.entries(keys).map(([name, key]) => [name, context.refOf(key)]));
}

/** The named parts of something composed. */
export function layersOf(
  layers: NonNullable<NonNullable<ObjectFact['structural']>['layers']>,
  context: ObjectContext,
): Layer[] {
  return layers.map((layer) => ({
    name: layer.name,
    class: publicClass(layer.class),
    ...(layer.object !== undefined && { object: context.refOf(layer.object) }),
  }));
}
