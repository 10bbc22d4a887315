// Numbers the objects of a snapshot under construction in the order in which they are described.
import type { ObjectFact } from '@grus/kernel/snapshot';

export class ObjectRegistry {
  readonly objects: Record<string, ObjectFact> = {};
  private count = 0;

  add(fact: ObjectFact): string {
    this.count += 1;
    const ref = `o${this.count}`;
    this.objects[ref] = fact;
    return ref;
  }
}
