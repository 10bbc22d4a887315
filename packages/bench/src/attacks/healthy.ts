// Cells that depend on what a copy cannot have: pipes, children, clocks, queues, temporary files. Each is tried in a copy and
// then really run. A copy may say that it does not know; it may not call a crash that does not come, nor a finish.
import { dryRun, type IsolationStrength, type Kernel, startKernel, strengths } from '@grus/kernel';
import { type Cell, readCells } from './cells.js';

type Claim = 'crash' | 'fine' | 'unknown';

export interface Judged {
  readonly kind: string;
  readonly cell: string;
  readonly isolation: IsolationStrength;
  readonly claim: Claim;
  /** What the copy said, in short. */
  readonly said: string;
  readonly truth: 'crash' | 'fine';
}

export interface HealthyOptions {
  readonly python: string;
  readonly isolations?: readonly IsolationStrength[];
  readonly cells?: readonly Cell[];
  readonly onProgress?: (text: string) => void;
}

const budgetMs = 1_500;

export async function runHealthy(options: HealthyOptions): Promise<Judged[]> {
  const cells = options.cells ?? readCells('healthy');
  const judged: Judged[] = [];
  for (const isolation of options.isolations ?? strengths) {
    let kernel = await startKernel({ python: options.python });
    try {
      for (const [index, cell] of cells.entries()) {
        options.onProgress?.(`${isolation}, ${cell.kind}: ${index + 1} of ${cells.length} (${cell.name})`);
        // What earlier cells left behind, threads above all, is no part of the next one.
        if (index % 10 === 9) {
          await kernel.close();
          kernel = await startKernel({ python: options.python });
        }
        judged.push(await judge(kernel, cell, isolation));
      }
    } finally {
      await kernel.close();
    }
  }
  return judged;
}

async function judge(kernel: Kernel, cell: Cell, isolation: IsolationStrength): Promise<Judged> {
  const prepared = await kernel.execute(cell.setup, { timeout: 30_000 });
  if (prepared.error) throw new Error(`${cell.name}: ${prepared.error.ename}: ${prepared.error.evalue}`);
  const { claim, said } = await claimed(kernel, cell, isolation);
  const real = await kernel.execute(cell.cell, { timeout: 30_000 });
  const truth = real.error ? 'crash' : 'fine';
  return { kind: cell.kind, cell: cell.name, isolation, claim, said, truth };
}

async function claimed(kernel: Kernel, { cell }: Cell, isolation: IsolationStrength) {
  const unknown = (said: string) => ({ claim: 'unknown' as Claim, said });
  const result = await dryRun(kernel, [cell], { budgetMs, isolation });
  if (result.status !== 'ok') return unknown('refused');
  const told = result.cells.at(-1);
  if (told === undefined) return unknown(result.ended);
  if (told.status === 'no-verdict') return unknown('no verdict');
  if (told.doubt !== null) return unknown(JSON.stringify(told.doubt));
  if (told.status === 'raised') return { claim: 'crash' as Claim, said: `${told.type}: ${told.message}` };
  return { claim: 'fine' as Claim, said: 'finished' };
}

export const isFalseAlarm = ({ claim, truth }: Judged) => claim === 'crash' && truth === 'fine';
export const isFalseProof = ({ claim, truth }: Judged) => claim === 'fine' && truth === 'crash';
