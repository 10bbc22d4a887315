// MLflow's default store since 2026: SQLite. NaN is stored as 0 with `is_nan` set, and infinities as the largest
// finite numbers: read naively, every diverged run looks like one with loss 0.
import type { Database as SqliteDatabase } from 'node-sqlite3-wasm';
import type { FileRecord } from '../collect/file-record.js';
import { defineReader } from '../reader.js';
import { settingValue } from './mlflow-files.js';

const largest = 1.7976931348623157e308;

const endings = {
  FINISHED: 'completed',
  FAILED: 'failed',
  KILLED: 'cancelled',
  RUNNING: 'running',
  SCHEDULED: 'running',
} as const;

export const mlflowSqlite = defineReader({
  id: 'mlflow-sqlite',
  title: 'MLflow database',
  place: 'record',
  fidelity: 9,
  rewritten: true,
  matches: ({ bytes }) => bytes.subarray(0, 15).toString('latin1') === 'SQLite format 3',
  readPath: async (record, path) => {
    const { Database } = (await import('node-sqlite3-wasm')).default;
    let database: SqliteDatabase | null = null;
    try {
      database = new Database(path, { readOnly: true });
      readDatabase(record, database);
    } catch (error) {
      record.note('unreadable', `the database cannot be read: ${(error as Error).message}`, -1);
    } finally {
      if (database?.isOpen) database.close();
    }
  },
});

function readDatabase(record: FileRecord, database: SqliteDatabase): void {
  const tables = new Set(
    database.all("SELECT name FROM sqlite_master WHERE type = 'table'").map((row) => String(row['name'])),
  );
  if (!tables.has('metrics') || !tables.has('runs')) {
    record.note('skipped', 'an SQLite database that is not of MLflow', -1);
    return;
  }
  const run = database.get(
    'SELECT run_uuid, status, start_time, end_time FROM runs ORDER BY start_time DESC LIMIT 1',
  );
  if (!run) {
    record.note('skipped', 'the database holds no run', -1);
    return;
  }
  const id = String(run['run_uuid']);
  record.run = id;
  record.startTime = Number(run['start_time']) || null;
  const total = Number(database.get('SELECT count(*) AS n FROM runs')?.['n'] ?? 1);
  if (total > 1)
    record.note(
      'skipped',
      `${total - 1} earlier runs in the same database are left aside; read: run ${id}`,
      -1,
    );

  const metrics = database.prepare(
    'SELECT rowid AS row, key, value, timestamp, step, is_nan FROM metrics WHERE run_uuid = ? ORDER BY timestamp, step',
  );
  try {
    for (const row of metrics.iterate([id])) {
      const value = Number(row['value']);
      const isNan = Number(row['is_nan']) === 1;
      const number = isNan
        ? Number.NaN
        : Math.abs(value) >= largest
          ? Math.sign(value) * Number.POSITIVE_INFINITY
          : value;
      record.point(
        String(row['key']),
        Number(row['step']),
        number,
        Number(row['row']),
        Number(row['timestamp']),
      );
    }
  } finally {
    metrics.finalize();
  }
  for (const row of database.all('SELECT key, value FROM params WHERE run_uuid = ?', [id])) {
    record.setting(String(row['key']), settingValue(String(row['value'])), -1);
  }
  const reason = endings[String(run['status']) as keyof typeof endings];
  if (reason !== undefined) {
    record.exit({
      source: 'mlflow',
      reason,
      code: null,
      signal: null,
      rank: null,
      text: `status ${String(run['status'])}`,
      at: record.at(-1),
      time: Number(run['end_time']) || null,
      step: record.lastStep,
    });
  }
}
