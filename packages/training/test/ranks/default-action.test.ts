// What to do follows from the cause alone, unless the run tells more.
import { expect, it } from 'vitest';
import { diagnoseRecord } from '../../src/index.js';
import { runOf } from '../readers/run-of.js';

async function verdictOf(files: Record<string, string>) {
  const { subcause, action } = diagnoseRecord(await runOf(files));
  return { subcause, action };
}

const steps = [1, 2, 3].map((step) => `step ${step} loss ${4 - step / 2}\n`).join('');
const raised = (error: string): string =>
  `Traceback (most recent call last):\n  File "/job/train.py", line 9, in <module>\n    main()\n${error}\n`;

const ranks = (second: string) => ({ 'rank_0.log': steps, 'rank_1.log': steps + second });

it('a known cause of a run of several ranks has an action, though nothing tells them apart', async () => {
  const files = raised('OSError: [Errno 24] Too many open files');
  expect(await verdictOf(ranks(files))).toEqual({ subcause: 'open_files', action: 'fix_code' });
  const four = 'world_size: 4\n';
  expect((await verdictOf({ 'a.log': four + steps + files })).action).toBe('fix_code');
  expect((await verdictOf({ 'a.log': four + steps })).action).toBeUndefined();
  expect((await verdictOf({ 'a.log': steps + files })).action).toBeUndefined();
});

it('memory that goes by the number of another process is the own where the numbers agree', async () => {
  const out = (used: number): string =>
    raised(
      `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 15.00 GiB. GPU 0 has a total capacity of 79.00 GiB of which 6.00 GiB is free. Process 771 has 73.00 GiB memory in use. Of the allocated memory ${used}.00 GiB is allocated by PyTorch, and 1.00 GiB is reserved by PyTorch but unallocated.`,
    );
  expect((await verdictOf(ranks(out(71)))).subcause).not.toBe('gpu_other_process');
  expect(await verdictOf(ranks(out(20)))).toEqual({
    subcause: 'gpu_other_process',
    action: 'exclude_node',
  });
});
