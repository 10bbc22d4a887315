// Where everybody waits for somebody, the waiting ends in circles: ranks that wait for each other, and for nobody else.
import { ascending } from '../present/presence.js';

/** The members of the circles that nobody in them waits beyond; ascending. Tarjan's algorithm: it closes the last circles first. */
export function circlesOf(waits: ReadonlyMap<number, ReadonlySet<number>>): number[] {
  const order = new Map<number, number>();
  const closed = new Set<number>();
  const open: number[] = [];
  const found: number[] = [];
  /** The earliest rank in order that this one leads back to, and whether it leads to what is closed. */
  const visit = (rank: number): { low: number; leadsOn: boolean } => {
    const own = order.size;
    let [low, leadsOn] = [own, false];
    order.set(rank, own);
    const start = open.push(rank) - 1;
    for (const next of waits.get(rank) ?? []) {
      if (closed.has(next)) leadsOn = true;
      else if (order.has(next)) low = Math.min(low, order.get(next)!);
      else {
        const ahead = visit(next);
        low = Math.min(low, ahead.low);
        leadsOn ||= ahead.leadsOn || closed.has(next);
      }
    }
    if (low === own) {
      const circle = open.splice(start);
      for (const member of circle) closed.add(member);
      if (!leadsOn && circle.length > 1) found.push(...circle);
    }
    return { low, leadsOn };
  };
  for (const rank of waits.keys()) if (!order.has(rank)) visit(rank);
  return found.sort(ascending);
}
