// The queue of a kernel: order, what is dropped behind a failure, and how a held cell is let go of.
import { describe, expect, it } from 'vitest';
import { Lane } from '../src/gate/lane.js';

function recorder() {
  const told: string[] = [];
  const job = (name: string, run: () => Promise<boolean> | boolean = () => true) => ({
    run: async () => {
      told.push(`${name} begins`);
      const ran = await run();
      told.push(`${name} ends`);
      return ran;
    },
    drop: () => void told.push(`${name} dropped`),
    hasFailed: () => false,
  });
  return { told, job };
}

/** A check takes a while before it holds the cell, and nobody answers. */
async function unanswered(lane: Lane): Promise<boolean> {
  await Promise.resolve();
  return (await lane.hold(new Promise<string>(() => undefined), 'leave')) === 'run';
}

describe('a lane', () => {
  it('begins a cell when its predecessor has finished', async () => {
    const { told, job } = recorder();
    const lane = new Lane();
    const slow = job('a', () => new Promise((resolve) => setTimeout(() => resolve(true), 5)));
    expect(await Promise.all([lane.add(slow), lane.add(job('b'))])).toEqual([true, true]);
    expect(told).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('begins at once with a cell that nobody is in front of', async () => {
    const { told, job } = recorder();
    const lane = new Lane();
    const first = lane.add(job('a'));
    expect(told).toEqual(['a begins']);
    expect(lane.free).toBe(false);
    expect(await Promise.all([first, lane.add(job('b'))])).toEqual([true, true]);
    await expect.poll(() => lane.free).toBe(true);
  });

  it('drops what waits behind a cell that did not run or threw, and nothing later', async () => {
    for (const failing of [() => false, () => Promise.reject(new Error('crash'))]) {
      const { told, job } = recorder();
      const lane = new Lane();
      const first = lane.add(job('a', failing)).catch(() => 'threw');
      const second = lane.add(job('b'));
      await first;
      expect(await second).toBe(false);
      expect(await lane.add(job('c'))).toBe(true);
      expect(told.filter((line) => !line.startsWith('a'))).toEqual(['b dropped', 'c begins', 'c ends']);
    }
  });

  it('runs what is added once the failure is seen, though the run has not ended', async () => {
    const { told, job } = recorder();
    const lane = new Lane();
    let end = (_: boolean) => {};
    let failed = false;
    const failing = {
      ...job('a', () => new Promise<boolean>((resolve) => (end = resolve))),
      hasFailed: () => failed,
    };
    const waiting = [lane.add(failing), lane.add(job('b'))];
    failed = true;
    waiting.push(lane.add(job('c')));
    end(false);
    expect(await Promise.all(waiting)).toEqual([false, false, true]);
    expect(told).toEqual(['a begins', 'a ends', 'b dropped', 'c begins', 'c ends']);
  });

  it('lets go of a held cell, and of what waits behind it, when somebody goes on elsewhere', async () => {
    const { told, job } = recorder();
    const lane = new Lane();
    const held = job('a', () => unanswered(lane));
    const both = [lane.add(held), lane.add(job('b'))];
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(await lane.add(job('c'))).toBe(true);
    expect(await Promise.all(both)).toEqual([false, false]);
    expect(told).toEqual(['a begins', 'a ends', 'b dropped', 'c begins', 'c ends']);
  });

  it('runs nothing that waited for a kernel that was restarted', async () => {
    const { told, job } = recorder();
    const lane = new Lane();
    const held = job('a', () => unanswered(lane));
    const both = [lane.add(held), lane.add(job('b'))];
    await new Promise((resolve) => setTimeout(resolve, 1));
    lane.clear();
    expect(await Promise.all(both)).toEqual([false, false]);
    expect(told).toContain('b dropped');
  });
});
