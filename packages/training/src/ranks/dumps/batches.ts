// Calls that a program hands over together. The recorder lists the parts of such a batch, which never end by themselves, and then one
// entry that ends for all of them. Here each message has the state of its batch, and collectives of a batch are one call.
import type { Call } from './call.js';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

interface Batch {
  readonly turn: number;
  readonly pairTurn: number;
  /** The turn of the call before it. */
  readonly before: number;
  readonly parts: Mutable<Call>[];
}

interface Group {
  batch: Batch | null;
  lastTurn: number;
  /** Batches of messages seen so far. */
  messages: number;
  /** In some versions a batch of messages takes a turn among the collectives, on the ranks that are part of it. */
  takesTurns: boolean;
  /** Whether messages were sent one by one as well: their count says nothing of batches then. */
  hasSingle: boolean;
  readonly shifted: { readonly call: Mutable<Call>; readonly messages: number; readonly pairTurn: number }[];
}

const isEnd = /(?:^|_)coalesced$/;

export class Batches {
  private readonly kept: Mutable<Call>[] = [];
  private readonly groups = new Map<string, Group>();

  add(call: Call, turn: number, pairTurn: number): void {
    const group = this.groupOf(call.group);
    const { batch } = group;
    const together = batch !== null && batch.turn === turn && batch.pairTurn === pairTurn;
    if (together && isEnd.test(call.operation)) this.end(group, batch, call);
    else if (together && !call.pair && !batch.parts[0]!.pair) join(batch.parts[0]!, call);
    else {
      const part: Mutable<Call> = call;
      this.kept.push(part);
      if (together) batch.parts.push(part);
      else {
        settle(group);
        group.batch = { turn, pairTurn, before: group.lastTurn, parts: [part] };
        group.lastTurn = turn;
      }
      if (!call.pair && (group.messages > 0 || pairTurn > 0))
        group.shifted.push({ call: part, messages: group.messages, pairTurn });
    }
  }

  calls(): Call[] {
    for (const group of this.groups.values()) {
      settle(group);
      if (!group.takesTurns) continue;
      for (const { call, messages, pairTurn } of group.shifted)
        call.sequence -= group.hasSingle || pairTurn === 0 ? messages : pairTurn;
    }
    return this.kept;
  }

  private end(group: Group, batch: Batch, { state }: Call): void {
    const number = batch.turn + batch.pairTurn;
    for (const part of batch.parts) {
      part.state = state;
      if (part.pair) part.batch = number;
    }
    group.batch = null;
    if (!batch.parts[0]!.pair) return;
    group.messages++;
    group.takesTurns = batch.turn > batch.before;
  }

  private groupOf(name: string): Group {
    const known = this.groups.get(name);
    if (known !== undefined) return known;
    const group: Group = {
      batch: null,
      lastTurn: 0,
      messages: 0,
      takesTurns: false,
      hasSingle: false,
      shifted: [],
    };
    this.groups.set(name, group);
    return group;
  }
}

function settle(group: Group): void {
  if (group.batch?.parts.length === 1 && group.batch.parts[0]!.pair) group.hasSingle = true;
}

function join(first: Mutable<Call>, call: Call): void {
  first.sizes += `;${call.sizes}`;
  if (call.types !== '') first.types += `;${call.types}`;
}
