// Figures for Prometheus: how many runs, in what state, and what waits.
import type { Parts } from './context.js';

export async function metricsText({ database, queue }: Parts): Promise<string> {
  const states = await database.query<{ state: string; count: number }>(
    'select state, count(*)::int as count from runs group by state order by state',
  );
  const outcomes = await database.query<{ outcome: string; count: number }>(
    'select outcome, count(*)::int as count from runs where outcome is not null group by outcome order by outcome',
  );
  const [size] = await database.query<{ bytes: string }>(
    'select pg_database_size(current_database())::text as bytes',
  );
  const lines = [
    ...family(
      'grus_runs',
      'Runs by state.',
      states.map(({ state, count }) => [`state="${state}"`, count]),
    ),
    ...family(
      'grus_outcomes',
      'Judged runs by outcome.',
      outcomes.map(({ outcome, count }) => [`outcome="${outcome}"`, count]),
    ),
    ...family('grus_jobs_waiting', 'Diagnoses that wait or are under way.', [['', await queue.waiting()]]),
    ...family('grus_database_bytes', 'What the database takes on disk.', [['', Number(size!.bytes)]]),
    ...family('process_resident_memory_bytes', 'Memory of the server.', [['', process.memoryUsage.rss()]]),
  ];
  return `${lines.join('\n')}\n`;
}

function family(name: string, help: string, samples: readonly (readonly [string, number])[]): string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} gauge`,
    ...samples.map(([labels, value]) => `${name}${labels === '' ? '' : `{${labels}}`} ${value}`),
  ];
}
