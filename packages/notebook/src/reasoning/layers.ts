// A map that is copied often and changed little: copies share frozen layers and hold only what they changed themselves,
// so that walking a branch costs as much as the branch changes, not as much as the state holds.

interface Layer<K, V> {
  readonly own: ReadonlyMap<K, V>;
  readonly parent: Layer<K, V> | null;
  readonly depth: number;
}

const deepest = 48;

export class LayeredMap<K, V> {
  private own = new Map<K, V>();
  private parent: Layer<K, V> | null = null;

  get(key: K): V | undefined {
    const value = this.own.get(key);
    if (value !== undefined) return value;
    for (let layer = this.parent; layer; layer = layer.parent) {
      const found = layer.own.get(key);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  set(key: K, value: V): void {
    this.own.set(key, value);
  }

  clear(): void {
    this.own = new Map();
    this.parent = null;
  }

  fork(): LayeredMap<K, V> {
    if (this.own.size > 0) {
      const depth = (this.parent?.depth ?? 0) + 1;
      this.parent =
        depth > deepest
          ? { own: new Map(this.entries()), parent: null, depth: 1 }
          : { own: this.own, parent: this.parent, depth };
      this.own = new Map();
    }
    const copy = new LayeredMap<K, V>();
    copy.parent = this.parent;
    return copy;
  }

  /** Every key once, with its newest value. */
  *entries(): Generator<[K, V]> {
    const seen = new Set<K>();
    for (const entry of this.own) {
      seen.add(entry[0]);
      yield entry;
    }
    for (let layer = this.parent; layer; layer = layer.parent)
      for (const entry of layer.own) {
        if (seen.has(entry[0])) continue;
        seen.add(entry[0]);
        yield entry;
      }
  }

  /** Keys that may differ between the two maps, and a map that holds what both share. */
  static compare<K, V>(a: LayeredMap<K, V>, b: LayeredMap<K, V>): { keys: Set<K>; shared: LayeredMap<K, V> } {
    const ancestors = new Set<Layer<K, V>>();
    for (let layer = a.parent; layer; layer = layer.parent) ancestors.add(layer);
    let common = b.parent;
    while (common && !ancestors.has(common)) common = common.parent;
    const keys = new Set<K>([...a.own.keys(), ...b.own.keys()]);
    for (const start of [a.parent, b.parent])
      for (let layer = start; layer && layer !== common; layer = layer.parent)
        for (const key of layer.own.keys()) keys.add(key);
    const shared = new LayeredMap<K, V>();
    shared.parent = common;
    return { keys, shared };
  }
}
