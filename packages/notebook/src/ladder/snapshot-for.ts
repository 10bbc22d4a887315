// Asks the kernel for everything that one cell needs, in one request.
import { type Kernel, takeSnapshot } from '@grus/kernel';
import { emptyRequest, type Question, type Snapshot, type SnapshotRequest } from '@grus/kernel/snapshot';
import { cellUses, type Expression, type ParsedCell, parseCell, walk } from '@grus/python';
import { methodPurity } from '../reasoning/inquiry/rules.js';

export interface SnapshotLimits {
  /** Milliseconds that the agent may work inside the kernel. */
  readonly budgetMs?: number;
  /** Milliseconds to wait for a kernel that is running a cell and has no subshells. */
  readonly busyBudgetMs?: number;
  /** Told what was read, and whether only a message to the kernel can change it. */
  readonly onRead?: (snapshot: Snapshot, isSettled: boolean) => void;
}

type Expected = NonNullable<SnapshotRequest['expects']>;

const defaultBusyBudgetMs = 2_000;

export async function snapshotFor(
  kernel: Kernel,
  source: string | ParsedCell,
  limits: SnapshotLimits = {},
  expected?: Omit<Expected, 'about'>,
): Promise<Snapshot> {
  const cell = typeof source === 'string' ? parseCell(source) : source;
  const about = expected ? likelyAsked(cell) : [];
  return take(
    kernel,
    {
      ...{ ...emptyRequest, ...cellUses(cell), labels: labelsIn(cell), compile: cell.source, cells: true },
      ...(expected && about.length > 0 && { expects: { ...expected, about } }),
    },
    limits,
  );
}

/** Global names whose methods the cell calls by names for which libraries are asked as a rule. */
function likelyAsked(cell: ParsedCell): string[] {
  const names = new Set<string>();
  for (const node of walk(cell.module)) {
    if (node.nodeType !== 'Call' || node.func.nodeType !== 'Attribute') continue;
    const root = methodPurity(node.func.attr) === 'askable' ? rootOf(node.func) : null;
    if (root !== null) names.add(root);
  }
  return [...names];
}

function rootOf(node: Expression): string | null {
  switch (node.nodeType) {
    case 'Name':
      return node.id;
    case 'Attribute':
    case 'Subscript':
      return rootOf(node.value);
    case 'Call':
      return rootOf(node.func);
    default:
      return null;
  }
}

/** Short strings of the cell: the columns and keys that it is likely to be about. */
function labelsIn(cell: ParsedCell): string[] {
  const labels = new Set<string>();
  for (const node of walk(cell.module)) {
    if (node.nodeType === 'Constant' && typeof node.value === 'string' && node.value.length <= 80)
      labels.add(node.value);
  }
  return [...labels].slice(0, 300);
}

/** The same snapshot with the answers to questions that came up while the cell was judged. */
export async function withAnswers(
  kernel: Kernel,
  snapshot: Snapshot,
  questions: readonly Question[],
  limits: SnapshotLimits = {},
): Promise<Snapshot> {
  const { answers, objects } = await take(kernel, { ...emptyRequest, questions }, limits);
  const renamed = prefixed(objects, answers ?? {});
  return {
    ...snapshot,
    objects: { ...snapshot.objects, ...renamed.objects },
    answers: { ...snapshot.answers, ...renamed.answers },
  };
}

async function take(kernel: Kernel, request: SnapshotRequest, limits: SnapshotLimits): Promise<Snapshot> {
  const budget = limits.budgetMs === undefined ? request.budget : { ...request.budget, ms: limits.budgetMs };
  const taken = await takeSnapshot(
    kernel,
    { ...request, budget, ...(limits.onRead && { background: true }) },
    { busyBudget: limits.busyBudgetMs ?? defaultBusyBudgetMs },
  );
  limits.onRead?.(taken.snapshot, isSettled(request, taken.snapshot));
  return taken.snapshot;
}

/** Objects of two snapshots are numbered independently: those of the second get names of their own. */
function prefixed(objects: Snapshot['objects'], answers: NonNullable<Snapshot['answers']>) {
  const rename = (id: string) => `answer:${id}`;
  const text = JSON.stringify({ objects, answers });
  const ids = new Set(Object.keys(objects));
  const renamed = JSON.parse(text, (_key, value) =>
    typeof value === 'string' && ids.has(value) ? rename(value) : value,
  ) as {
    objects: Snapshot['objects'];
    answers: NonNullable<Snapshot['answers']>;
  };
  return {
    objects: Object.fromEntries(Object.entries(renamed.objects).map(([id, fact]) => [rename(id), fact])),
    answers: renamed.answers,
  };
}

const outside: ReadonlySet<string> = new Set(['file', 'executable']);

/** Files come and go without the kernel, and what runs in its background needs no message. */
function isSettled({ files, questions = [] }: SnapshotRequest, { background }: Snapshot): boolean {
  return background?.length === 0 && files.length === 0 && !questions.some(({ ask }) => outside.has(ask));
}
