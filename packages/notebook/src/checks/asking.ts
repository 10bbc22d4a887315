// Questions to the kernel that only the walk can know: collected while it runs, answered in the next round trip.
import type { Answer, Question, Snapshot } from '@grus/kernel/snapshot';
import type { Ask } from './define-check.js';

export class Questions {
  private readonly asked = new Map<string, Question>();

  constructor(private readonly snapshot: Snapshot) {}

  ask(question: Ask): Answer | undefined {
    const id = JSON.stringify(question, Object.keys(question).sort());
    const answer = this.snapshot.answers?.[id];
    if (answer === undefined) this.asked.set(id, { ...question, id } as Question);
    return answer;
  }

  get open(): readonly Question[] {
    return [...this.asked.values()];
  }
}
